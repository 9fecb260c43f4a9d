import { useState } from 'react';
import { firstAddress, picturePath } from '#shared/items/image-addresses.ts';
import type { PictureMarks } from '#shared/items/schema.ts';
import classes from './items.module.css';

type ImageCellProps = { url: string | null; name: string; marks: PictureMarks };

const missing =
  'Das Bild fehlt beim Anbieter, kommt zu langsam, ist größer als 8 MB oder weder JPEG, PNG, GIF, WebP noch AVIF. Bitte prüfen Sie die Adresse.';
const unreadable = 'Das ist keine Adresse eines Bildes. Sie muss mit http:// oder https:// beginnen.';

/**
 * ITE-05: a picture of at most 100 px, or a text if it is missing. `marks`: signatures
 * with which our server fetches the addresses.
 */
export function ImageCell({ url, name, marks }: ImageCellProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (url === null || url.trim() === '') return <NoImage />;
  const first = firstAddress(url);
  const mark = marks[first];
  if (mark === undefined || broken === first)
    return (
      <span className={classes.noImage} title={mark === undefined ? unreadable : missing}>
        Bild nicht gefunden
      </span>
    );
  const check = (image: HTMLImageElement | null) => {
    // A picture that failed before hydration has fired no event here.
    if (image !== null && image.complete && image.naturalWidth === 0) setBroken(first);
  };
  return (
    <img
      ref={check}
      className={classes.image}
      src={picturePath(first, mark)}
      alt={name}
      width={100}
      height={70}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(first)}
    />
  );
}

/** ITE-05: text of a cell without any address. */
export function NoImage() {
  return <span className={classes.emptyImage}>Bild nicht gefunden</span>;
}
