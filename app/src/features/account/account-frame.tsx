import { useEffect, type ReactNode } from 'react'
import { Link as RouterLink } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { useMessages } from '#messages/messages.tsx'
import { useProject, useUser } from '#session/session.tsx'
import { Avatar } from '#ui/avatar.tsx'
import css from './account.module.css'
import { initialsOf, nameOf, pictureOf } from './person.ts'

/** The two places of the account, under the person they belong to. */
export function AccountFrame({ title, children }: { title: string; children: ReactNode }) {
  const { account: words } = useMessages()
  const user = useUser()
  const project = useProject()
  const name = nameOf(user)
  const address = user.email || (user.phone ? `+${user.phone.replace(/^\+/, '')}` : '') || words.guest

  useEffect(() => {
    document.title = `${title} · ${words.title} · ${project.name}`
  }, [title, words, project.name])

  return (
    <div className={css.page}>
      <header className={css.header}>
        <div className={css.person}>
          <Avatar name={initialsOf(user, words.guest)} src={pictureOf(user) || undefined} size={48} />
          <div className={css.who}>
            <h1 className={css.title}>{name || words.title}</h1>
            <p className={css.address}>{address}</p>
          </div>
        </div>
        <nav className={css.places} aria-label={words.title}>
          <Place href="/account">{words.profile}</Place>
          <Place href="/account/security">{words.security}</Place>
          <Place href="/account/data">{words.data}</Place>
        </nav>
      </header>
      {children}
    </div>
  )
}

function Place({ href, children }: { href: string; children: ReactNode }) {
  const here = usePathname() === href
  return (
    <RouterLink href={href} aria-current={here ? 'page' : undefined}>
      {children}
    </RouterLink>
  )
}

/** One thing that can be changed, with what it means beside it. */
export function Section({ id, heading, lead, children }: { id?: string; heading: string; lead: string; children: ReactNode }) {
  return (
    <section id={id} tabIndex={id ? -1 : undefined} className={css.section} aria-label={heading}>
      <div className={css.about}>
        <h2>{heading}</h2>
        <p>{lead}</p>
      </div>
      <div className={css.body}>{children}</div>
    </section>
  )
}
