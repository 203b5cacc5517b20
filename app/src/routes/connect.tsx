import { navigate } from 'wouter/use-browser-location'
import { ConnectScreen } from '#features/connect/connect-screen.tsx'

/** `/connect`: another project, beside those already known. */
export function Screen() {
  return <ConnectScreen onConnected={() => navigate('/', { replace: true })} />
}
