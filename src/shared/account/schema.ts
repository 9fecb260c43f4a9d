import { z } from 'zod';
import { permissions, type Permission } from '#shared/http/call.ts';

/** Roles of a company, strongest first, each one definition: German label and what it may do. */
export const roles = {
  owner: { label: 'Inhaber', may: permissions },
  admin: { label: 'Administrator', may: permissions },
  editor: { label: 'Bearbeiter', may: ['enter', 'read', 'edit', 'run'] },
  viewer: { label: 'Betrachter', may: ['enter', 'read'] },
  warehouse: { label: 'Lager', may: ['enter', 'ship'] },
} as const satisfies Record<string, { label: string; may: readonly Permission[] }>;
export type Role = keyof typeof roles;
export const roleNames = ['owner', 'admin', 'editor', 'viewer', 'warehouse'] as const satisfies readonly Role[];

export const Credentials = z
  .object({ email: z.string().trim().min(3).max(254), password: z.string().min(1).max(1000) })
  .meta({ id: 'Credentials' });

export const Session = z
  .object({
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
    company: z.object({ id: z.string(), name: z.string() }),
    role: z.enum(roleNames),
    permissions: z.array(z.enum(permissions)),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(roleNames),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: 'Token' });
export type Token = z.infer<typeof Token>;
export const NewToken = z.object({ name: z.string().trim().min(1).max(100), role: z.enum(roleNames) });

export const Member = z
  .object({ id: z.string(), name: z.string(), email: z.string(), role: z.enum(roleNames) })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;
export const NewMember = z.object({
  name: z.string().trim().min(1).max(100),
  email: z.email().max(254),
  password: z.string().min(12).max(128),
  role: z.enum(roleNames),
});
