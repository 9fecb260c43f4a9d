import { useRef } from 'react';
import type { useSearchParams } from 'react-router';
import { useAskedAddress } from '#client/paths/asked-address.ts';

/** Which item's card is open: it stands in the address. What had the focus before gets it back. */
export function useOpenCard([search, setSearch]: ReturnType<typeof useSearchParams>) {
  const opener = useRef<Element>(null);
  const itemId = search.get('artikel');
  // A search or a filter whose items are still on their way stays.
  const asked = useAskedAddress();
  const open = (id: string | null) => {
    if (itemId === null) opener.current = document.activeElement;
    const next = new URLSearchParams(asked);
    if (id === null) next.delete('artikel');
    else next.set('artikel', id);
    setSearch(next, { preventScrollReset: true });
  };
  return { itemId, opener, open };
}
