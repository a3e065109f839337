import { useEffect } from 'react'

const plainIcon = '/favicon.svg'

/** The icon of the console with a red dot. */
const markedIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e69"/><path d="M6 22h20M9 22a7 7 0 0 1 14 0M16 12v3M13.5 10.5h5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/><circle cx="24" cy="8" r="8" fill="#e03131"/></svg>',
)}`

const withoutMark = (title: string) => title.replace(/^\(\d+\+?\) /, '')

/** Shows the number of unread notifications in the title and a dot in the icon of the tab. */
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
    document.querySelector('link[rel=icon]')?.setAttribute('href', unread === 0 ? plainIcon : markedIcon)
    return () => observer.disconnect()
  }, [unread])
}
