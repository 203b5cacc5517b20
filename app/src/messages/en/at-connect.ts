import { connect } from './connect.ts'

/** What is said on a page without a project: loaded with the Connect screen. */
export const connectMessages = { connect }

export type ConnectMessages = typeof connectMessages
