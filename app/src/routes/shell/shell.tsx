import { lazy, Suspense, useState, useSyncExternalStore, type ReactNode } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { isTrayCalled, subscribeToTray } from '#features/files/uploads/tray-call.ts'
import { useMessages } from '#messages/messages.tsx'
import { stepUpQuestion, subscribeToStepUp } from '#session/step-up-call.ts'
import { OverlayBoundary } from '#routes/load-failed.tsx'
import { useProject, useUser } from '#session/session.tsx'
import { addIcons } from '#ui/icon.tsx'
import { insideIcons } from '#ui/icons-inside.ts'
import { InsideProvider } from '#ui/inside-provider.tsx'
import { LateConfirmDialog, LateSheet } from '#ui/late.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { OfflineLine } from './offline-line.tsx'
import { places } from './places.ts'
import css from './shell.module.css'
import { ShellSkeleton } from './shell-skeleton.tsx'
import { Sidebar } from './sidebar.tsx'
import { useLeaving, type Leaving } from './use-leaving.ts'
import { useShortcuts } from './use-shortcuts.ts'

addIcons(insideIcons)

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const UploadTray = lazy(async () => ({ default: (await import('#features/files/uploads/upload-tray.tsx')).UploadTray }))
const StepUpDialog = lazy(async () => ({ default: (await import('#features/second-factor/step-up-dialog.tsx')).StepUpDialog }))
const GuestLine = lazy(async () => ({ default: (await import('#features/front-door/guest-line.tsx')).GuestLine }))
const Nudge = lazy(async () => {
  await quietMoment()
  // Nobody misses an invitation that could not be fetched.
  return import('#features/account/nudge/nudge.tsx').then(({ Nudge }) => ({ default: Nudge }), () => ({ default: () => null }))
})
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }))

/** What nobody waits for comes after what somebody does. */
const quietMoment = () => new Promise<unknown>((resolve) => setTimeout(() => ('requestIdleCallback' in window ? requestIdleCallback(resolve) : resolve(undefined)), 2000))

const placeShortcuts = Object.fromEntries(places.flatMap(({ keys, href }) => (keys ? [[keys, () => navigate(href)]] : [])))

type Overlay = 'menu' | 'palette' | 'help'

/** The frame of every screen inside: sidebar (below 900 px a sheet and a bar at the foot), offline line, content. */
export function Shell({ isWaiting = false, children }: { isWaiting?: boolean; children?: ReactNode }) {
  return isWaiting ? <ShellSkeleton /> : <OpenShell>{children}</OpenShell>
}

function OpenShell({ children }: { children: ReactNode }) {
  const { shell } = useMessages()
  const [overlay, setOverlay] = useState<Overlay>()
  const close = () => setOverlay(undefined)
  const leaving = useLeaving()
  const hasUploads = useSyncExternalStore(subscribeToTray, isTrayCalled)
  const question = useSyncExternalStore(subscribeToStepUp, stepUpQuestion)
  const sidebarActions = { onSearch: () => setOverlay('palette'), onHelp: () => setOverlay('help'), onSignOut: leaving.leave }
  useShortcuts({
    'mod+k': () => setOverlay('palette'),
    '?': () => setOverlay('help'),
    'g t': () => navigate('/data'),
    'g a': () => navigate('/account'),
    ...placeShortcuts,
  })
  return (
    <InsideProvider navigate={navigate} boundary={OverlayBoundary}>
      <div className={css.frame}>
        <a className={css.skip} href="#content">
          {shell.skipToContent}
        </a>
        <aside className={css.sidebar}>
          <Sidebar {...sidebarActions} />
        </aside>
        <div className={css.main}>
          <OfflineLine />
          <GuestNotice />
          <main className={css.content} id="content" tabIndex={-1}>
            {children}
          </main>
          <Invitation />
        </div>
        <BottomBar onMenu={() => setOverlay('menu')} onSearch={() => setOverlay('palette')} menuOpen={overlay === 'menu'} />
      </div>
      <LateSheet open={overlay === 'menu'} onClose={close} label={shell.mainMenu} side="start">
        <Sidebar {...sidebarActions} onNavigate={close} />
      </LateSheet>
      <LeaveDialog leaving={leaving} />
      {/* Uploads go on wherever one goes. */}
      <Suspense>{hasUploads && <UploadTray />}</Suspense>
      <Suspense>
        {question && (
          <OverlayBoundary onClose={() => question.answer(false)}>
            <StepUpDialog />
          </OverlayBoundary>
        )}
        {overlay === 'palette' && (
          <OverlayBoundary onClose={close}>
            <CommandPalette onClose={close} onHelp={sidebarActions.onHelp} onSignOut={leaving.leave} />
          </OverlayBoundary>
        )}
        {overlay === 'help' && (
          <OverlayBoundary onClose={close}>
            <ShortcutHelp onClose={close} />
          </OverlayBoundary>
        )}
      </Suspense>
    </InsideProvider>
  )
}

function GuestNotice() {
  const { is_anonymous: isGuest } = useUser()
  return <Suspense>{isGuest && <GuestLine />}</Suspense>
}

/** What may be suggested to people with an account, unless the operator wants none of it. */
function Invitation() {
  const { is_anonymous: isGuest } = useUser()
  const { door } = useProject()
  return <Suspense>{!isGuest && door?.nudge !== false && <Nudge />}</Suspense>
}

/** Asked before signing out loses something: unsaved work, or all that a guest has done. */
function LeaveDialog({ leaving }: { leaving: Leaving }) {
  const { shell } = useMessages()
  const { is_anonymous: isGuest } = useUser()
  return (
    <LateConfirmDialog open={leaving.isAsking} onClose={leaving.cancel} title={isGuest ? shell.guestSignOutTitle : shell.signOutTitle} confirmLabel={shell.signOut} onConfirm={leaving.confirm}>
      {isGuest ? shell.guestSignOutBody : shell.signOutBody}
    </LateConfirmDialog>
  )
}
