import { getServerMetadata } from '#services/auth/discovery.ts'
import type { Route } from '#services/auth/routes.ts'

import { authorize } from './authorize.ts'
import { answerClient, answerClients, changeClient, createClient, deleteClient, regenerateSecret, registerDynamically } from './clients.ts'
import { answerAuthorization, answerConsent } from './consent.ts'
import { answerGrants, revokeGrant } from './grants.ts'
import { whenServed } from './served.ts'
import { answerToken } from './token.ts'
import { answerUserInfo } from './user-info.ts'

/** The endpoints of the project as a provider of sign-in for other applications. */
export const oauthServerRoutes: readonly Route[] = [
  { method: 'GET', path: '/.well-known/oauth-authorization-server', answer: whenServed(getServerMetadata) },
  { method: 'GET', path: '/oauth/authorize', answer: whenServed(authorize), bucket: 'authorize' },
  { method: 'GET', path: '/oauth/authorizations/{authorization_id}', answer: whenServed(answerAuthorization) },
  { method: 'POST', path: '/oauth/authorizations/{authorization_id}/consent', answer: whenServed(answerConsent) },
  { method: 'POST', path: '/oauth/token', answer: whenServed(answerToken) },
  { method: 'GET', path: '/oauth/userinfo', answer: whenServed(answerUserInfo) },
  { method: 'POST', path: '/oauth/clients/register', answer: whenServed(registerDynamically), bucket: 'register' },
  { method: 'GET', path: '/user/oauth/grants', answer: answerGrants },
  { method: 'DELETE', path: '/user/oauth/grants', answer: revokeGrant },
  { method: 'GET', path: '/admin/oauth/clients', answer: answerClients },
  { method: 'POST', path: '/admin/oauth/clients', answer: createClient },
  { method: 'GET', path: '/admin/oauth/clients/{client_id}', answer: answerClient },
  { method: 'PUT', path: '/admin/oauth/clients/{client_id}', answer: changeClient },
  { method: 'DELETE', path: '/admin/oauth/clients/{client_id}', answer: deleteClient },
  { method: 'POST', path: '/admin/oauth/clients/{client_id}/regenerate_secret', answer: regenerateSecret },
]
