// Runs before the first paint, so that the skeleton has the colours and the layout of the page that follows it.
// The keys are those of Mantine, of data/api.ts and of shell/frame.tsx.
;(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const root = document.documentElement
  root.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  root.dataset.mode = (sessionStorage.getItem('mode') ?? localStorage.getItem('mode')) === 'live' ? 'live' : 'test'
  root.dataset.rail = localStorage.getItem('rail-folded') === 'true' ? 'folded' : 'open'
})()
