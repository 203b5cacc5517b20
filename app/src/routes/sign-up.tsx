import { authSettingsQuery } from '#features/front-door/auth-settings-query.ts'
import { SignUpPage } from '#features/front-door/sign-up-page.tsx'
import type { LoaderContext } from './route.ts'

export const loader = ({ queryClient, session }: LoaderContext) => void queryClient.prefetchQuery(authSettingsQuery(session.connection))

export const Screen = () => <SignUpPage />
