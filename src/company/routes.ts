import type { FastifyInstance } from 'fastify';
import { invitationRoutes } from './invitation-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { securityLogRoutes, type SecurityLogRouteDeps } from './security-log-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import type { SignInTries } from './sign-in.ts';
import { tokenRoutes } from './token-routes.ts';

export type { SignInTries } from './sign-in.ts';

export const SIGN_IN_TRIES: SignInTries = { account: 5, address: 50 };

export function accountRoutes(app: FastifyInstance, deps: SecurityLogRouteDeps): void {
  sessionRoutes(app, deps);
  passwordRoutes(app, deps);
  ownAccountRoutes(app, deps);
  tokenRoutes(app, deps);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
  securityLogRoutes(app, deps);
}
