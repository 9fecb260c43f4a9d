import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const tinte: MantineColorsTuple = [
  '#EEF0FF',
  '#DDE1FF',
  '#C3CAFF',
  '#A5B0FF',
  '#8390F5',
  '#6472E6',
  '#4E5AD6',
  '#3A45C2',
  '#3039A3',
  '#272F85',
];
const dark: MantineColorsTuple = [
  '#ECEDF0',
  '#C9CCD3',
  '#A3A8B2',
  '#767C88',
  '#4A4E57',
  '#33363D',
  '#26282E',
  '#1F2126',
  '#17181C',
  '#111215',
];

/** Controls are 36 px high in forms and 32 px (size xs) in tables; corner radii are 7 px, those of cards 10 px. */
export const theme = createTheme({
  primaryColor: 'tinte',
  // Lighter shades do not reach 4.5:1 under white text.
  primaryShade: { light: 7, dark: 7 },
  colors: { tinte, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '18px' },
  defaultRadius: 7,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A dialog's header is not the page's banner (axe: one banner landmark).
    Modal: {
      defaultProps: {
        centered: true,
        radius: 10,
        closeButtonProps: { 'aria-label': 'Schließen' },
        attributes: { header: { role: 'presentation' } },
      },
    },
    Drawer: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Schließen' },
        attributes: { header: { role: 'presentation' } },
      },
    },
    Alert: { defaultProps: { radius: 10, closeButtonLabel: 'Schließen' } },
    Tooltip: { defaultProps: { openDelay: 300 } },
    // Menus belong to the page's main landmark; the focus placeholder would be a child that a menu may not have.
    Menu: { defaultProps: { portalProps: { target: '#inhalt' }, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { portalProps: { target: '#inhalt' } } },
    Combobox: { defaultProps: { portalProps: { target: '#inhalt' } } },
  },
});

/** Maps Mantine's variables to our design tokens, so that both come from one table. */
export const cssVariables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--k-surface)',
    '--mantine-color-text': 'var(--k-text)',
    '--mantine-color-dimmed': 'var(--k-muted)',
    '--mantine-color-placeholder': 'var(--k-muted)',
    '--mantine-color-default-border': 'var(--k-field-border)',
    '--mantine-color-error': 'var(--k-error)',
    '--mantine-color-anchor': 'var(--k-link)',
  };
  return { variables: {}, light: both, dark: both };
};
