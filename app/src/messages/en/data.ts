export const data = {
  title: 'Tables',
}
