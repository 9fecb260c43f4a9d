import { type Role, roleNames, roles } from '#shared/account/schema.ts';

/** The roles as a list offers them. */
export const roleOptions = roleNames.map((value) => ({ value, label: roles[value].label }));
export const roleOf = (text: string): Role => roleNames.find((name) => name === text) ?? 'viewer';
