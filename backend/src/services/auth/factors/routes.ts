import type { Route } from '#services/auth/routes.ts'

import { deleteAdminFactor, listAdminFactors, updateAdminFactor } from './admin-factors.ts'
import { challengeFactor } from './challenge.ts'
import { enrollFactor } from './enroll.ts'
import { deleteRecoveryCodes, generateRecoveryCodes, getRecoveryCodes, regenerateRecoveryCodes } from './recovery-codes.ts'
import { verifyRecoveryCode } from './recovery.ts'
import { unenrollFactor } from './unenroll.ts'
import { verifyFactor } from './verify.ts'

/** Second factors, by their holder and by administrators. */
export const factorRoutes: readonly Route[] = [
  { method: 'POST', path: '/factors', answer: enrollFactor },
  // Before the paths that would take `recovery-codes` for an id.
  { method: 'GET', path: '/factors/recovery-codes', answer: getRecoveryCodes },
  { method: 'POST', path: '/factors/recovery-codes', answer: generateRecoveryCodes },
  { method: 'DELETE', path: '/factors/recovery-codes', answer: deleteRecoveryCodes },
  { method: 'POST', path: '/factors/recovery-codes/verify', answer: verifyRecoveryCode, bucket: 'factor_verify' },
  { method: 'POST', path: '/factors/recovery-codes/regenerate', answer: regenerateRecoveryCodes },
  { method: 'POST', path: '/factors/{factor_id}/challenge', answer: challengeFactor, bucket: 'factor_challenge' },
  { method: 'POST', path: '/factors/{factor_id}/verify', answer: verifyFactor, bucket: 'factor_verify' },
  { method: 'DELETE', path: '/factors/{factor_id}', answer: unenrollFactor },
  { method: 'GET', path: '/admin/users/{user_id}/factors', answer: listAdminFactors },
  { method: 'PUT', path: '/admin/users/{user_id}/factors/{factor_id}', answer: updateAdminFactor },
  { method: 'DELETE', path: '/admin/users/{user_id}/factors/{factor_id}', answer: deleteAdminFactor },
]
