import type { Permission } from '#shared/http/call.ts';
import { roles, type Role } from '#shared/account/roles.ts';

export const isRole = (name: string): name is Role => Object.hasOwn(roles, name);

/** Returns the role that a row names. @throws if it is unknown, because a newer version of the program wrote it */
export function roleOf(name: string): Role {
  if (!isRole(name)) throw new Error(`unknown role: ${name}`);
  return name;
}

export const permissionsOf = (role: string): readonly Permission[] => (isRole(role) ? roles[role].may : []);
