import type { ConnectMessages } from '#messages/en/at-connect.ts'
import { connect } from './connect.ts'

export const connectMessages: ConnectMessages = { connect }
