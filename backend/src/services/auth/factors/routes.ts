import type { Route } from '#services/auth/routes.ts'

import { deleteAdminFactor, listAdminFactors, updateAdminFactor } from './admin-factors.ts'
import { challengeFactor } from './challenge.ts'
import { enrollFactor } from './enroll.ts'
import { unenrollFactor } from './unenroll.ts'
import { verifyFactor } from './verify.ts'

/** Second factors, by their holder and by administrators. */
export const factorRoutes: readonly Route[] = [
  { method: 'POST', path: '/factors', answer: enrollFactor },
  { method: 'POST', path: '/factors/{factor_id}/challenge', answer: challengeFactor, bucket: 'factor_challenge' },
  { method: 'POST', path: '/factors/{factor_id}/verify', answer: verifyFactor, bucket: 'factor_verify' },
  { method: 'DELETE', path: '/factors/{factor_id}', answer: unenrollFactor },
  { method: 'GET', path: '/admin/users/{user_id}/factors', answer: listAdminFactors },
  { method: 'PUT', path: '/admin/users/{user_id}/factors/{factor_id}', answer: updateAdminFactor },
  { method: 'DELETE', path: '/admin/users/{user_id}/factors/{factor_id}', answer: deleteAdminFactor },
]
