export const connect = {
  title: 'Connect a project',
}
