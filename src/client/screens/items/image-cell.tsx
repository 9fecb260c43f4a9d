import { useState } from 'react';
import { firstAddress } from '#shared/items/image-addresses.ts';
import classes from './items.module.css';

/** ITE-05: a picture of at most 100 px, or the words for one that is not there. */
export function ImageCell({ url, name }: { url: string | null; name: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (url === null || url.trim() === '') return <NoImage />;
  const first = firstAddress(url);
  if (broken === first) return <span className={classes.noImage}>Bild nicht gefunden</span>;
  const check = (image: HTMLImageElement | null) => {
    // A picture that failed before the page came to life has told nobody.
    if (image !== null && image.complete && image.naturalWidth === 0) setBroken(first);
  };
  return (
    <img
      ref={check}
      className={classes.image}
      src={first}
      alt={name}
      width={100}
      height={70}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(first)}
    />
  );
}

/** ITE-05: what a cell without any address says. */
export function NoImage() {
  return <span className={classes.emptyImage}>Bild nicht gefunden</span>;
}
