import type { OrderState } from './schema.ts';

/** German labels of an order's states. */
export const orderStateLabels: Readonly<Record<OrderState, string>> = {
  pending: 'vorgemerkt',
  open: 'offen',
  part_shipped: 'teilweise versandt',
  shipped: 'versandt',
  cancelled: 'storniert',
  returned: 'retourniert',
};

/** German labels of the order list's filters. */
export const orderFilterLabels = {
  offen: 'Offen',
  faellig: 'Heute fällig',
  stornowunsch: 'Stornowunsch',
  klaerung: 'Klärung nötig',
  vorgemerkt: 'Vorgemerkt',
  versandt: 'Versandt',
  storniert: 'Storniert',
  retourniert: 'Retourniert',
  alle: 'Alle',
} as const;
