import { permissions, type Permission } from '#shared/http/call.ts';

/** Roles of a company, strongest first: German label and permissions. */
export const roles = {
  owner: { label: 'Inhaber', may: permissions },
  admin: { label: 'Administrator', may: permissions },
  editor: { label: 'Bearbeiter', may: ['enter', 'read', 'edit', 'run'] },
  viewer: { label: 'Betrachter', may: ['enter', 'read'] },
  warehouse: { label: 'Lager', may: ['enter', 'ship'] },
} as const satisfies Record<string, { label: string; may: readonly Permission[] }>;
/** Permissions that can be chosen for a token; 'enter' is always included, so that a token can query its own identity. */
export type ChosenPermission = Exclude<Permission, 'enter'>;
/** Labels of the permissions where a user chooses among them. */
export const permissionLabels = {
  read: 'Lesen',
  edit: 'Bearbeiten',
  run: 'Importe und Exporte starten',
  admin: 'Verwalten',
  ship: 'Versand',
  orders: 'Bestellungen',
  persons: 'Kundendaten',
  prices: 'Preise',
} as const satisfies Record<ChosenPermission, string>;
export type Role = keyof typeof roles;
/** Returns the permissions of a role that a token may be given. */
export function choicesOf(role: Role): ChosenPermission[] {
  const may: readonly Permission[] = roles[role].may;
  return may.filter((one) => one !== 'enter');
}
export const roleNames = ['owner', 'admin', 'editor', 'viewer', 'warehouse'] as const satisfies readonly Role[];
const everyRole: readonly { label: string; may: readonly Permission[] }[] = Object.values(roles);
/** Names the roles that have all these permissions, strongest first. */
export const rolesWith = (...needed: readonly Permission[]): string =>
  everyRole
    .filter(({ may }) => needed.every((one) => may.includes(one)))
    .map(({ label }) => label)
    .join(', ');
