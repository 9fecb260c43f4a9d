import { useRef } from 'react';
import type { useSearchParams } from 'react-router';
import { useAskedAddress } from '#client/paths/asked-address.ts';

/** Keeps the open item's card in the URL. The previously focused element gets the focus back. */
export function useOpenCard([search, setSearch]: ReturnType<typeof useSearchParams>) {
  const opener = useRef<Element>(null);
  const itemId = search.get('artikel');
  // Keeps a search or filter whose items are still loading.
  const requestedAddress = useAskedAddress();
  const open = (id: string | null) => {
    if (itemId === null) opener.current = document.activeElement;
    const next = new URLSearchParams(requestedAddress);
    if (id === null) next.delete('artikel');
    else next.set('artikel', id);
    setSearch(next, { preventScrollReset: true });
  };
  return { itemId, opener, open };
}
