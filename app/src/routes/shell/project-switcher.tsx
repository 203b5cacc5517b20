import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useMessages } from '#messages/messages.tsx'
import { useProjects } from '#projects/projects.tsx'
import { useConnection, useProject, useSessionStore } from '#session/session.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Icon } from '#ui/icon.tsx'
import { LateConfirmDialog } from '#ui/late.tsx'
import { Menu } from '#ui/menu.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import css from './sidebar.module.css'

/** The project in hand, and the way to another. Each has its own session, so a switch starts everything anew. */
export function ProjectSwitcher() {
  const { shell } = useMessages()
  const project = useProject()
  const connection = useConnection()
  const store = useSessionStore()
  const { projects, current, select, remove } = useProjects()
  const [removing, setRemoving] = useState(false)
  const { host } = new URL(project.url)
  const choose = (id: string) => {
    if (id === project.id) return
    select(id)
    navigate('/', { replace: true })
  }
  return (
    <>
      <Menu
        label={shell.switchProject}
        trigger={
          <button type="button" className={css.switch}>
            <VisuallyHidden>{shell.switchProject}</VisuallyHidden>
            <Avatar name={project.name} size={24} shape="square" />
            <span className={css.names}>
              <span className={css.name}>{project.name}</span>
              {host !== project.name && <span className={css.detail}>{host}</span>}
            </span>
            <Icon name="chevrons-up-down" size={14} className={css.arrows} />
          </button>
        }
        groups={[
          {
            heading: shell.projects,
            items: projects.map(({ id, name, url }) => ({ id, label: name, description: new URL(url).host, checked: id === project.id, onSelect: () => choose(id) })),
          },
          {
            items: [
              { id: 'connect', label: shell.connectProject, icon: 'plus', href: '/connect' },
              ...(current?.configured === false ? [{ id: 'remove', label: shell.removeProject(project.name), icon: 'unplug' as const, danger: true, onSelect: () => setRemoving(true) }] : []),
            ],
          },
        ]}
      />
      <LateConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={shell.removeProjectTitle(project.name)}
        confirmLabel={shell.removeProjectConfirm}
        onConfirm={async () => {
          const { KeptAccounts } = await import('#session/kept-accounts.ts')
          await new KeptAccounts(store).endAll()
          await connection.forget()
          remove(project.id)
          navigate('/', { replace: true })
        }}
      >
        {shell.removeProjectHint}
      </LateConfirmDialog>
    </>
  )
}
