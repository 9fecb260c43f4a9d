import { useRef } from 'react';
import type { useSearchParams } from 'react-router';

/** Which item's card is open: it stands in the address. What had the focus before gets it back. */
export function useOpenCard([search, setSearch]: ReturnType<typeof useSearchParams>) {
  const opener = useRef<Element>(null);
  const itemId = search.get('artikel');
  const open = (id: string | null) => {
    if (itemId === null) opener.current = document.activeElement;
    setSearch(
      (now) => {
        if (id === null) now.delete('artikel');
        else now.set('artikel', id);
        return now;
      },
      { preventScrollReset: true },
    );
  };
  return { itemId, opener, open };
}
