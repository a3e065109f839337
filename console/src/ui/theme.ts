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

/** Duration of all transitions. */
export const motionMs = 120

/** One accent colour and grey surfaces; other colours carry a meaning. */
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
    // Coloured titles have too little contrast on their tinted background.
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    AppShell: AppShell.extend({ defaultProps: { transitionDuration: motionMs } }),
    Burger: Burger.extend({ defaultProps: { transitionDuration: motionMs } }),
    Collapse: Collapse.extend({ defaultProps: { transitionDuration: motionMs } }),
    Drawer: Drawer.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, transitionProps: { duration: motionMs } },
      styles: { title: { fontWeight: 650 } },
    }),
    // A field may have several errors, one per line.
    InputError: InputError.extend({ styles: { error: { whiteSpace: 'pre-line' } } }),
    // The placeholder is a focusable child that is no menu item, which fails the accessibility check.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, transitionProps: { duration: motionMs } },
      styles: { title: { fontWeight: 650 } },
    }),
    // Not "Close": pages have a button of that name, and a toast can be next to it.
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { transitionDuration: motionMs } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs', highlightOnHover: true } }),
  },
})
