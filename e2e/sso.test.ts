import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSamlIdp, type SamlIdp } from './saml-idp.ts'
import { box, page, setStage } from './stage.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 }) as { privateKey: KeyObject }
const text = privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')

setStage({ prepare: (project) => writeFile(join(project, 'supabase/.env'), `GOTRUE_SAML_ENABLED=true\nGOTRUE_SAML_PRIVATE_KEY=${text}\n`) })
let idp: SamlIdp
beforeAll(async () => {
  const auth = `${box.status.API_URL}/auth/v1`
  // The organisation signs with the service's own key here: its certificate is there for the asking.
  const metadata = await (await fetch(`${auth}/sso/saml/metadata`)).text()
  idp = await openSamlIdp({ key: privateKey, certificate: /<X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '', email: 'ada@corp.example' })
  const made = await fetch(`${auth}/admin/sso/providers`, {
    method: 'POST',
    headers: { apikey: box.status.SECRET_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'saml', metadata_xml: idp.metadata, domains: ['corp.example'] }),
  })
  expect(made.status).toBe(201)
})
afterAll(async () => {
  await idp?.close()
})

test('people of an organisation sign in at its own page, and come back as themselves', async () => {
  await page.goto('/sign-in?next=/account')
  await page.getByRole('button', { name: 'Continue with your organisation' }).click()
  await page.getByLabel('Work address').fill('ada@corp.example')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Go on as ada@corp.example' }).click()
  await page.waitForURL((url) => url.href.startsWith(box.status.APP_URL) && !/callback|sign-in/.test(url.pathname))
  await page.goto('/account')
  await expect.poll(() => page.getByText('ada@corp.example').count()).toBeGreaterThan(0)
})
