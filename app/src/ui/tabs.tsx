import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'
import { AriaProvider } from './aria-provider.tsx'
import { classNames } from './class-names.ts'
import css from './tabs.module.css'

export interface TabItem {
  id: string
  label: ReactNode
  /** A quiet number after the label. */
  count?: number | undefined
  content: ReactNode
}

export interface TabsProps {
  label: string
  items: readonly TabItem[]
  /** Controlled when given with `onChange`. */
  value?: string | undefined
  onChange?: ((id: string) => void) | undefined
}

/** Several views of one thing, one at a time. */
export function Tabs({ label, items, value, onChange }: TabsProps) {
  return (
    <AriaProvider>
      <AriaTabs className={classNames(css.tabs)} {...(value !== undefined && { selectedKey: value })} onSelectionChange={(key) => onChange?.(String(key))}>
        <TabList className={classNames(css.list)} aria-label={label}>
          {items.map((item) => (
            <Tab key={item.id} id={item.id} className={classNames(css.tab)}>
              {item.label}
              {item.count !== undefined && <span className={css.count}>{item.count}</span>}
            </Tab>
          ))}
        </TabList>
        {items.map((item) => (
          <TabPanel key={item.id} id={item.id} className={classNames(css.panel)}>
            {item.content}
          </TabPanel>
        ))}
      </AriaTabs>
    </AriaProvider>
  )
}
