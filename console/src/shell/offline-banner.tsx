import { useNetwork } from '@mantine/hooks'
import classes from './frame.module.css'

/** Says that the browser has no connection. What is on the screen may be out of date. */
export function OfflineBanner() {
  const { online } = useNetwork()
  return (
    <div role="status">
      {!online && (
        <div className={classes.offline}>
          You are offline. What you see may be out of date, and changes cannot be saved.
        </div>
      )}
    </div>
  )
}
