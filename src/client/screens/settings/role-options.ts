import { type Role, roleNames, roles } from '#shared/account/roles.ts';

/** The roles as options of a select. */
export const roleOptions = roleNames.map((value) => ({ value, label: roles[value].label }));
export const roleOf = (text: string): Role => roleNames.find((name) => name === text) ?? 'viewer';
