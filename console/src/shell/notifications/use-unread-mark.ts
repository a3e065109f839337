import { useEffect } from 'react'

const plainIcon = '/favicon.svg'

/** The icon of the console with the number on a red badge, which takes most of the icon: tabs show it in 16 pixels. */
function iconWith(unread: number): string {
  const [text, x, width]: [string, number, number] = unread > 9 ? ['9+', 4, 28] : [String(unread), 10, 22]
  const bell =
    '<path d="M6 22h20M9 22a7 7 0 0 1 14 0M16 12v3M13.5 10.5h5" transform="translate(-2 8) scale(.8)" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>'
  const badge = `<rect x="${x}" width="${width}" height="23" rx="9" fill="#c92a2a"/><text x="${x + width / 2}" y="19" fill="#fff" font-family="Arial,Helvetica,sans-serif" font-weight="700" font-size="21" text-anchor="middle">${text}</text>`
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e69"/>${bell}${badge}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(icon)}`
}

const withoutMark = (title: string) => title.replace(/^\(\d+\+?\) /, '')

/** Shows the number of unread notifications in the title and in the icon of the tab. */
export function useUnreadMark(unread: number): void {
  useEffect(() => {
    const mark = unread === 0 ? '' : `(${unread > 99 ? '99+' : unread}) `
    const apply = () => {
      const wanted = mark + withoutMark(document.title)
      if (document.title !== wanted) document.title = wanted
    }
    apply()
    // Pages set their own titles, now and later.
    const observer = new MutationObserver(apply)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    document.querySelector('link[rel=icon]')?.setAttribute('href', unread === 0 ? plainIcon : iconWith(unread))
    return () => observer.disconnect()
  }, [unread])
}
