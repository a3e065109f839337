import {
  Alert,
  AppShell,
  Burger,
  Collapse,
  createTheme,
  Drawer,
  InputError,
  Menu,
  Modal,
  Notification,
  SegmentedControl,
  Table,
} from '@mantine/core'

/** Nothing that moves keeps anybody waiting. */
export const motionMs = 120

/** One accent colour and grey surfaces; colour besides only where it means something. */
export const theme = createTheme({
  primaryColor: 'desk',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: {
    desk: [
      '#eefaf5',
      '#d9f1e7',
      '#b3e3cf',
      '#88d4b5',
      '#5fc49c',
      '#3aa981',
      '#1b7d5d',
      '#0f6e50',
      '#0a5a42',
      '#064633',
    ],
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '22px' }, h2: { fontSize: '17px' }, h3: { fontSize: '15px' } },
  },
  components: {
    // Coloured titles are too faint on their own colour: the box says what kind it is.
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    AppShell: AppShell.extend({ defaultProps: { transitionDuration: motionMs } }),
    Burger: Burger.extend({ defaultProps: { transitionDuration: motionMs } }),
    Collapse: Collapse.extend({ defaultProps: { transitionDuration: motionMs } }),
    Drawer: Drawer.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, transitionProps: { duration: motionMs } },
      styles: { title: { fontWeight: 650 } },
    }),
    // A place may have several faults, each with a line of its own.
    InputError: InputError.extend({ styles: { error: { whiteSpace: 'pre-line' } } }),
    // Else its first child is an empty box that takes the focus, which is no item of a menu to a screen reader.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, transitionProps: { duration: motionMs } },
      styles: { title: { fontWeight: 650 } },
    }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { transitionDuration: motionMs } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs', highlightOnHover: true } }),
  },
})
