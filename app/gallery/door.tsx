import { useState } from 'react'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { DoorAnswer, DoorDivider, DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'

/** A sign-in with everything a door can hold. */
export function Door() {
  const [code, setCode] = useState('418')
  return (
    <DoorLayout brand="Helpdesk" title="Sign in to Helpdesk" below={<>No account yet? <Link href="/sign-up">Sign up</Link></>}>
      <DoorStack>
        <Banner tone="danger">E-mail or password is wrong. Try again, or reset your password.</Banner>
        <DoorAnswer action={<Link href="#door">Change</Link>}>ada@example.com</DoorAnswer>
        <TextField label="E-mail" size="door" type="email" defaultValue="ada@example" error="Enter the whole address, like ada@example.com." />
        <PasswordField label="Password" size="door" aside={<Link href="#door">Forgot password?</Link>} defaultValue="correct horse" />
        <CodeField label="Code from the mail" value={code} onChange={setCode} hint="It is valid for one hour." />
        <Button variant="primary" size="door" wide>
          Sign in
        </Button>
        <DoorDivider>or</DoorDivider>
        <Button size="door" wide icon="mail">
          Mail me a link
        </Button>
        <Button size="door" wide icon="fingerprint" pending>
          Use a passkey
        </Button>
      </DoorStack>
    </DoorLayout>
  )
}
