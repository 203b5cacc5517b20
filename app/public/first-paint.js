// Runs before the page is drawn: a chosen colour scheme and language direction are in force from the first pixel.
try {
  var theme = localStorage.getItem('portico.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is refused: the system's scheme stands.
}
