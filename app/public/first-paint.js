// Runs before the page is drawn: a chosen colour scheme is in force, and the frame of the workspace stands, from the first pixel.
try {
  var theme = localStorage.getItem('portico.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is refused: the system's scheme stands.
}
// Whoever holds a session will most likely be let in; the app takes this back as soon as it knows better.
if (/^\/($|data|account|call)/.test(location.pathname) && /(^|; )[^=;]*auth-token(\.0)?=/.test(document.cookie)) document.documentElement.dataset.inside = ''
