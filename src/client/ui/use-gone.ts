import { useEffect, useRef } from 'react';

/** Tells whether the component has left the page: what happens after that must be told somewhere else. */
export function useGone(): () => boolean {
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  return () => gone.current;
}
