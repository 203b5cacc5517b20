// A file of its own, so that a bundle keeps the names of a library that is no ES module when it is fetched late.
export { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
