export { offeredProviders, providerName } from '#session/provider-names.ts'
