import type { Permission } from '#shared/http/call.ts';
import { roles, type Role } from '#shared/account/schema.ts';

export const isRole = (name: string): name is Role => Object.hasOwn(roles, name);

export const permissionsOf = (role: string): readonly Permission[] => (isRole(role) ? roles[role].may : []);
