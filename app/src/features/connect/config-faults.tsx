import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { Banner } from '#ui/banner.tsx'

export interface ConfigFaultsProps {
  /** Each with its place in `portico.json`. */
  faults: readonly { at: string; code: keyof ReturnType<typeof useMessages>['connect']['faults'] }[]
}

/** The app's own settings are wrong: every fault at once, each with how to mend it. */
export function ConfigFaults({ faults }: ConfigFaultsProps) {
  const { connect, ui } = useMessages()
  return (
    <DoorLayout brand={ui.productName} title={connect.configTitle} lead={connect.configLead}>
      <DocumentTitle>{connect.configTitle}</DocumentTitle>
      <DoorStack>
        {faults.map(({ at, code }) => (
          <Banner key={`${at} ${code}`} tone="danger" role="none" title={connect.faults[code].title}>
            <p>{connect.faults[code].whatToDo}</p>
            {at !== '' && <code>{at}</code>}
          </Banner>
        ))}
        <Button variant="primary" size="door" wide onClick={() => location.reload()}>
          {connect.reload}
        </Button>
      </DoorStack>
    </DoorLayout>
  )
}
