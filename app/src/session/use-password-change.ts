import { useRef, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import { changePassword } from './password-change.ts'
import { useClient } from './session.tsx'

export interface PasswordForm {
  password: string
  code: string
  current: string
  /** Fields the server has asked for. */
  needs: { code: boolean; current: boolean }
  pending: boolean
  error: AppError | null
  set: (field: 'password' | 'code' | 'current', value: string) => void
  submit: () => void
  reset: () => void
}

const blank = { password: '', code: '', current: '' }

/** The state of a form that changes the password; fields appear as the server asks for them, and keep what was typed. */
export function usePasswordChange(onDone: () => void): PasswordForm {
  const client = useClient()
  const [fields, setFields] = useState(blank)
  const [needs, setNeeds] = useState({ code: false, current: false })
  const [state, setState] = useState<{ pending: boolean; error: AppError | null }>({ pending: false, error: null })
  const busy = useRef(false)

  const reset = () => {
    setFields(blank)
    setNeeds({ code: false, current: false })
    setState({ pending: false, error: null })
  }
  const submit = async () => {
    if (busy.current) return
    busy.current = true
    setState({ pending: true, error: null })
    const change = await changePassword(client, fields)
    busy.current = false
    setState({ pending: false, error: change.kind === 'failed' ? change.error : null })
    if (change.kind === 'code-needed') setNeeds((before) => ({ ...before, code: true }))
    if (change.kind === 'current-needed') setNeeds((before) => ({ ...before, current: true }))
    if (change.kind === 'done') {
      reset()
      onDone()
    }
  }

  return {
    ...fields,
    ...state,
    needs,
    set: (field, value) => {
      setFields((before) => ({ ...before, [field]: value }))
      setState((before) => ({ ...before, error: null }))
    },
    submit: () => void submit(),
    reset,
  }
}
