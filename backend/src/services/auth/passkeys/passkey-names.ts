// Makers of authenticators by the id their products share. It names a kind of product and nobody's own device.
const products: Readonly<Record<string, string>> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  'b5397666-4885-aa6b-cebf-e52262a439a2': 'Chromium Browser',
  '771b48fd-d3d4-4f74-9232-fc157ab0507a': 'Edge on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'd3452668-01fd-4c12-926c-83a4204853aa': 'Microsoft Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain (Managed)',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper',
  'b78a0a55-6ef8-d246-a042-ba0f6d55050c': 'LastPass',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  'f3809540-7f14-49c1-a8b3-8f813b225541': 'Enpass',
  'a10c6dd9-465e-4226-8198-c7c44b91c555': 'Kaspersky Password Manager',
  'b35a26b2-8f6e-4697-ab1d-d44db4da28c6': 'Zoho Vault',
  'de503f9c-21a4-4f76-b4b7-558eb55c6f89': 'Devolutions',
  '22248c4c-7a12-46e2-9a41-44291b373a4d': 'LogMeOnce',
  '39a5647e-1853-446c-a1f6-a79bae9f5bc7': 'IDmelon',
  '2fc0579f-8113-47ea-b116-bb5a8db9202a': 'YubiKey 5 Series with NFC',
  'fa2b99dc-9e39-4257-8f92-4a30d23c4118': 'YubiKey 5 Series with NFC',
  'ee882879-721c-4913-9775-3dfcce97072a': 'YubiKey 5 Series',
  'cb69481e-8ff7-4039-93ec-0a2729a154a8': 'YubiKey 5 Series',
  'c5ef55ff-ad9a-4b9f-b580-adebafe026d0': 'YubiKey 5 Series with Lightning',
  'd8522d9f-575b-4866-88a9-ba99fa02f35b': 'YubiKey Bio Series - FIDO Edition',
  'a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa': 'Security Key NFC by Yubico',
  'b7d3f68e-88a6-471e-9ecf-2df26d041ede': 'Security Key NFC by Yubico',
  '149a2021-8ef6-4133-96b8-81f8d5b7f1f5': 'Security Key by Yubico with NFC',
  '42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3': 'Google Titan Security Key v2',
  '2cd2f727-f6ca-44da-8f48-5c2e5da000a2': 'Nitrokey 3 AM',
  'ee041bce-25e5-4cdb-8f86-897fd6418464': 'Feitian ePass FIDO2-NFC Authenticator',
}

/**
 * What a new passkey is called: its maker's name where that is known.
 *
 * @see https://github.com/passkeydeveloper/passkey-authenticator-aaguids
 */
export const passkeyName = (aaguid: string): string => products[aaguid.toLowerCase()] ?? 'Passkey'
