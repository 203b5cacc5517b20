import type { ReactElement, ReactNode } from 'react'
import { Focusable } from 'react-aria-components/Focusable'
import { Tooltip as AriaTooltip, TooltipTrigger, type TooltipProps as AriaTooltipProps } from 'react-aria-components/Tooltip'
import { AriaProvider } from './aria-provider.tsx'
import { classNames } from './class-names.ts'
import css from './tooltip.module.css'

export interface TooltipProps {
  text: ReactNode
  placement?: AriaTooltipProps['placement']
  /** One thing that can take the focus. */
  children: ReactElement<object, string>
}

/** A few words on hover and focus. It adds to a name, it never replaces one. */
export function Tooltip({ text, placement = 'top', children }: TooltipProps) {
  return (
    <AriaProvider>
      <TooltipTrigger delay={500} closeDelay={100}>
        <Focusable>{children}</Focusable>
        <AriaTooltip className={classNames(css.tooltip)} placement={placement} offset={6}>
          {text}
        </AriaTooltip>
      </TooltipTrigger>
    </AriaProvider>
  )
}
