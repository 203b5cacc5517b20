import { useState, type ReactNode } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button, ButtonLink, IconButton } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Chip } from '#ui/chip.tsx'
import { ComboBox } from '#ui/combo-box.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DateField, DateTimeField, TimeField } from '#ui/date-field.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { LanguageSelect, ThemeSelect } from '#ui/door-layout.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Failure } from '#ui/failure.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { insideIcons } from '#ui/icons-inside.ts'
import { Kbd } from '#ui/kbd.tsx'
import { Link } from '#ui/link.tsx'
import { ListBox } from '#ui/list-box.tsx'
import { Logo, Wordmark } from '#ui/logo.tsx'
import { Menu } from '#ui/menu.tsx'
import { Popover } from '#ui/popover.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Switch } from '#ui/switch.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useToast } from '#ui/toaster.tsx'
import { Tooltip } from '#ui/tooltip.tsx'
import css from './parts.module.css'

const people = [
  { id: '1', label: 'Ada Lovelace', hint: 'ada@example.com' },
  { id: '2', label: 'Grace Hopper', hint: 'grace@example.com' },
  { id: '3', label: 'Katherine Johnson', hint: 'katherine@example.com' },
]

const anHourAgo = new Date(Date.now() - 3_600_000)

export function Parts() {
  return (
    <main className={css.page}>
      <h1 className={css.title}>Gallery</h1>
      <Marks />
      <Buttons />
      <Fields />
      <Choices />
      <Dates />
      <Overlays />
      <Messages />
      <States />
    </main>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.group}>
      <h2 className={css.heading}>{title}</h2>
      <div className={css.row}>{children}</div>
    </section>
  )
}

function Marks() {
  return (
    <Group title="Marks and small things">
      <Logo size={16} />
      <Logo size={20} />
      <Logo size={48} />
      <Wordmark name="Helpdesk" />
      <Avatar name="Ada Lovelace" />
      <Avatar name="grace@example.com" size={32} />
      <Avatar name="Helpdesk" shape="square" />
      {['open', 'waiting', 'solved', 'urgent', 'low', 'billing', 'spam', 'closed', 'new'].map((value) => (
        <Chip key={value} value={value}>
          {value}
        </Chip>
      ))}
      <Chip>neutral</Chip>
      <Chip tone="success">active</Chip>
      <Chip tone="warning">expires soon</Chip>
      <Chip tone="danger">banned</Chip>
      <Chip tone="info">new</Chip>
      <Chip tone="accent">current</Chip>
      <Kbd keys="mod+k" />
      <Kbd keys="shift+enter" />
      <DateTime value={anHourAgo} show="relative" />
      <DateTime value="2026-11-20T14:05:00Z" />
      <DateTime value="2026-11-20T14:05:00Z" show="date" />
      <Link href="/gallery/">A link</Link>
      <Link href="/gallery/" variant="quiet">
        A quiet link
      </Link>
      <Link href="https://example.com">Elsewhere</Link>
      <LanguageSelect />
      <ThemeSelect />
      <div className={css.icons}>
        {(Object.keys(insideIcons) as IconName[]).map((name) => (
          <Icon key={name} name={name} />
        ))}
      </div>
    </Group>
  )
}

function Buttons() {
  return (
    <Group title="Buttons">
      <Button variant="primary">Save changes</Button>
      <Button>Cancel</Button>
      <Button variant="quiet">Columns</Button>
      <Button variant="danger">Delete ticket</Button>
      <Button variant="primary" icon="plus">
        New ticket
      </Button>
      <Button icon="filter">Filter</Button>
      <Button variant="quiet" iconAfter="chevron-down">
        Sort
      </Button>
      <Button variant="primary" pending>
        Save changes
      </Button>
      <Button pending>Cancel</Button>
      <Button variant="primary" disabled>
        Save changes
      </Button>
      <Button disabled>Cancel</Button>
      <IconButton icon="more" label="More" />
      <IconButton icon="refresh" label="Refresh" variant="secondary" />
      <IconButton icon="close" label="Close" size="small" />
      <CopyButton value="sb_publishable_x" />
      <CopyButton value="x" label="Copy request id" compact />
      <Button variant="primary" size="door">
        Sign in
      </Button>
      <ButtonLink href="/gallery/" size="door" icon="mail">
        Mail me a link
      </ButtonLink>
    </Group>
  )
}

function Fields() {
  const [search, setSearch] = useState('')
  return (
    <section className={css.group}>
      <h2 className={css.heading}>Fields</h2>
      <div className={css.fields}>
        <TextField label="Subject" defaultValue="Printer on fire" hint="What customers see first." />
        <TextField label="Reference" optional placeholder="INV-2026-0042" />
        <TextField label="E-mail" defaultValue="ada@" error="Enter the whole address, like ada@example.com." />
        <TextField label="Number" defaultValue="4821" readOnly />
        <TextField label="Owner" defaultValue="Ada Lovelace" disabled icon="user" />
        <Select label="Priority" defaultValue="high">
          <option value="low">Low</option>
          <option value="high">High</option>
        </Select>
        <TextArea label="Message" defaultValue={'The printer in room 4 is on fire.\nPlease advise.'} />
        <TextArea label="Details" mono defaultValue={'{ "floor": 4 }'} error="Line 1: a comma is missing." />
        <SearchField label="Search tickets" value={search} onChange={setSearch} keys="/" />
        <div>
          <Checkbox label="Notify the customer" defaultChecked hint="By mail, at once." />
          <Checkbox label="Internal" />
          <Checkbox label="Some of them" indeterminate />
          <Checkbox label="Locked" disabled defaultChecked />
        </div>
        <div>
          <Switch label="Two-step sign-in" hint="A code from your phone at each sign-in." defaultChecked />
          <Switch label="Weekly summary" />
        </div>
      </div>
    </section>
  )
}

function Choices() {
  const [person, setPerson] = useState<string | null>('1')
  const [chosen, setChosen] = useState(['2'])
  const [view, setView] = useState<'grid' | 'list'>('grid')
  return (
    <section className={css.group}>
      <h2 className={css.heading}>Choices</h2>
      <div className={css.fields}>
        <ComboBox label="Assignee" options={people} value={person} onChange={setPerson} clearable hint="Type to find someone." />
        <ComboBox label="Team" options={[]} value={null} onChange={() => {}} error="Choose a team." />
        <div className={css.box}>
          <ListBox label="People" options={people} value={chosen} onChange={setChosen} multiple />
        </div>
        <div>
          <Segmented
            label="View"
            value={view}
            onChange={setView}
            options={[
              { value: 'grid', label: 'Grid', icon: 'grid' },
              { value: 'list', label: 'List', icon: 'list' },
            ]}
          />
        </div>
        <Tabs
          label="Related"
          items={[
            { id: 'messages', label: 'Messages', count: 12, content: <p className={css.panel}>Twelve messages.</p> },
            { id: 'articles', label: 'Articles', count: 0, content: <p className={css.panel}>No articles.</p> },
          ]}
        />
      </div>
    </section>
  )
}

function Dates() {
  const [day, setDay] = useState<string | null>('2026-11-20')
  const [moment, setMoment] = useState<string | null>('2026-11-20T14:05:00+00:00')
  const [time, setTime] = useState<string | null>(null)
  return (
    <section className={css.group}>
      <h2 className={css.heading}>Dates</h2>
      <div className={css.fields}>
        <DateField label="Due" value={day} onChange={setDay} />
        <DateTimeField label="Created" value={moment} onChange={setMoment} />
        <TimeField label="Opens" value={time} onChange={setTime} optional />
        <DateField label="Ends" value="infinity" onChange={() => {}} />
      </div>
    </section>
  )
}

function Overlays() {
  const toast = useToast()
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'sheet'>()
  const close = () => setOpen(undefined)
  return (
    <Group title="Overlays">
      <Menu
        label="More"
        trigger={<Button iconAfter="chevron-down">Menu</Button>}
        groups={[
          { items: [{ id: 'open', label: 'Open', icon: 'external', keys: 'enter' }, { id: 'copy', label: 'Copy link', icon: 'link' }] },
          { heading: 'Theme', items: [{ id: 'light', label: 'Light', checked: true }, { id: 'dark', label: 'Dark', checked: false }] },
          { items: [{ id: 'delete', label: 'Delete ticket…', icon: 'trash', danger: true }] },
        ]}
      />
      <Popover label="Filter" trigger={<Button icon="filter">Popover</Button>}>
        {(done) => <Button onClick={done}>Close it</Button>}
      </Popover>
      <Tooltip text="Reads the rows again">
        <Button>Tooltip</Button>
      </Tooltip>
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('confirm')}>Confirm</Button>
      <Button onClick={() => setOpen('sheet')}>Sheet</Button>
      <Button onClick={() => toast({ text: 'Ticket 4821 was deleted.', tone: 'success', action: { label: 'Undo', onPress: () => {} }, lifetimeMs: 0 })}>Toast</Button>
      <Dialog open={open === 'dialog'} onClose={close} title="Rename the view" lead="Everyone with the link sees the new name." footer={<><Button onClick={close}>Cancel</Button><Button variant="primary">Rename</Button></>}>
        <TextField label="Name" defaultValue="Open and due today" />
      </Dialog>
      <ConfirmDialog open={open === 'confirm'} onClose={close} title="Delete ticket 4821?" confirmLabel="Delete ticket" onConfirm={() => new Promise((done) => setTimeout(done, 1500)).then(close)}>
        Its 12 messages are deleted with it. This cannot be undone.
      </ConfirmDialog>
      <Sheet open={open === 'sheet'} onClose={close} label="Ticket 4821">
        <Failure title="The ticket could not be read" onRetry={close}>
          The project did not answer.
        </Failure>
      </Sheet>
    </Group>
  )
}

function Messages() {
  return (
    <section className={css.group}>
      <h2 className={css.heading}>Messages</h2>
      <div className={css.fields}>
        {(['info', 'success', 'warning', 'danger'] as const).map((tone) => (
          <Banner key={tone} tone={tone} role="none" title="This link has already been used" action={<Link href="/gallery/">Send a new one</Link>}>
            Each link works once.
          </Banner>
        ))}
        <Failure layout="line" title="The rows could not be read" onRetry={() => {}} technical={'PGRST301 · request 0d3f\nJWT expired'}>
          Your sign-in has expired.
        </Failure>
      </div>
    </section>
  )
}

function States() {
  return (
    <section className={css.group}>
      <h2 className={css.heading}>States</h2>
      <div className={css.fields}>
        <div className={css.box}>
          <EmptyState icon="inbox" title="No tickets here" action={<Button variant="primary" icon="plus">New ticket</Button>}>
            Nothing fits the filter, or the project’s policies show you none.
          </EmptyState>
        </div>
        <div className={css.box}>
          <Failure title="The rows could not be read" onRetry={() => {}} technical={'PGRST301 · request 0d3f'}>
            The project did not answer. Check your connection.
          </Failure>
        </div>
        <Skeleton label="Loading tickets" lines={4} />
      </div>
    </section>
  )
}
