import { useEffect, useState } from 'react'
import { Redirect } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { forgetFarewell, readFarewell } from './farewell.ts'

/** `/goodbye`: after the account is deleted. */
export function GoodbyePage() {
  const { goodbye: words } = useMessages().ownData
  const [left] = useState(readFarewell)
  useEffect(() => forgetFarewell(), [])
  if (left === '') return <Redirect to="/sign-in" replace />
  return (
    <DoorLayout brand={left} title={words.title} lead={words.lead(left)}>
      <DocumentTitle>{words.title}</DocumentTitle>
      <DoorStack>
        <p>{words.note}</p>
        <ButtonLink href="/sign-in" variant="primary" size="door" wide>
          {words.again}
        </ButtonLink>
      </DoorStack>
    </DoorLayout>
  )
}
