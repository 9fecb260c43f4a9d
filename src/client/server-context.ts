import { createContext } from 'react-router';

/** What the server hands to loaders; its other half is PageServices in the server's renderer. */
export type PageServices = {
  readonly fetchApi: (path: string, init?: RequestInit) => Promise<Response>;
  readonly nonce: string;
  readonly requestId: string;
  readonly logError: (error: unknown) => void;
};

export const servicesContext = createContext<PageServices>();
