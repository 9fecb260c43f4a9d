import { createContext } from 'react-router';

/** What the server hands to loaders; the server's renderer declares the matching PageServices. */
export type PageServices = {
  readonly fetchApi: (path: string, init?: RequestInit) => Promise<Response>;
  readonly nonce: string;
  readonly requestId: string;
  readonly logError: (error: unknown) => void;
};

export const servicesContext = createContext<PageServices>();
