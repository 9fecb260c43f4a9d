const clothing = 'Apparel & Accessories > Clothing';
const extras = 'Apparel & Accessories > Clothing Accessories';
const jewelry = 'Apparel & Accessories > Jewelry';
const shoes = 'Apparel & Accessories > Shoes';
const bags = 'Luggage & Bags';
const cosmetics = 'Health & Beauty > Personal Care > Cosmetics';

/**
 * Frequent article types of a real fashion catalogue, each with the Google category assigned by hand. Only for measuring hit
 * rates.
 */
export const fashionFacts: readonly (readonly [string, string])[] = [
  ['Apparel > Topwear > Tshirts', `${clothing} > Shirts & Tops`],
  ['Apparel > Topwear > Shirts', `${clothing} > Shirts & Tops`],
  ['Footwear > Shoes > Casual Shoes', shoes],
  ['Accessories > Watches > Watches', `${jewelry} > Watches`],
  ['Footwear > Shoes > Sports Shoes', shoes],
  ['Apparel > Topwear > Tops', `${clothing} > Shirts & Tops`],
  ['Accessories > Bags > Handbags', 'Apparel & Accessories > Handbags, Wallets & Cases > Handbags'],
  ['Footwear > Shoes > Heels', shoes],
  ['Accessories > Eyewear > Sunglasses', `${extras} > Sunglasses`],
  ['Accessories > Wallets > Wallets', 'Apparel & Accessories > Handbags, Wallets & Cases > Wallets & Money Clips'],
  ['Footwear > Sandal > Sandals', shoes],
  ['Apparel > Innerwear > Briefs', `${clothing} > Underwear & Socks > Underwear`],
  ['Accessories > Belts > Belts', `${extras} > Belts`],
  ['Accessories > Bags > Backpacks', `${bags} > Backpacks`],
  ['Accessories > Socks > Socks', `${clothing} > Underwear & Socks > Socks`],
  ['Footwear > Shoes > Formal Shoes', shoes],
  ['Apparel > Bottomwear > Jeans', `${clothing} > Pants`],
  ['Personal Care > Fragrance > Perfume and Body Mist', `${cosmetics} > Perfume & Cologne`],
  ['Apparel > Bottomwear > Shorts', `${clothing} > Shorts`],
  ['Apparel > Bottomwear > Trousers', `${clothing} > Pants`],
  ['Footwear > Shoes > Flats', shoes],
  ['Apparel > Innerwear > Bra', `${clothing} > Underwear & Socks > Bras`],
  ['Apparel > Dress > Dresses', `${clothing} > Dresses`],
  ['Accessories > Jewellery > Earrings', `${jewelry} > Earrings`],
  [
    'Personal Care > Fragrance > Deodorant',
    'Health & Beauty > Personal Care > Deodorant & Anti-Perspirant > Deodorant',
  ],
  ['Personal Care > Nails > Nail Polish', `${cosmetics} > Nail Care > Nail Polishes`],
  ['Personal Care > Lips > Lipstick', `${cosmetics} > Makeup > Lip Makeup > Lipstick`],
  ['Apparel > Bottomwear > Track Pants', `${clothing} > Pants`],
  ['Accessories > Bags > Clutches', 'Apparel & Accessories > Handbags, Wallets & Cases > Handbags'],
  ['Apparel > Topwear > Sweatshirts', `${clothing} > Shirts & Tops`],
  ['Accessories > Headwear > Caps', `${extras} > Hats`],
  ['Apparel > Topwear > Jackets', `${clothing} > Outerwear > Coats & Jackets`],
  ['Accessories > Ties > Ties', `${extras} > Neckties`],
  ['Apparel > Loungewear and Nightwear > Nightdress', `${clothing} > Sleepwear & Loungewear > Nightgowns`],
  ['Accessories > Jewellery > Pendant', `${jewelry} > Charms & Pendants`],
  ['Accessories > Jewellery > Necklace and Chains', `${jewelry} > Necklaces`],
  ['Personal Care > Lips > Lip Gloss', `${cosmetics} > Makeup > Lip Makeup > Lip Gloss`],
  ['Apparel > Bottomwear > Skirts', `${clothing} > Skirts`],
  ['Accessories > Scarves > Scarves', `${extras} > Scarves & Shawls > Scarves`],
  ['Accessories > Jewellery > Ring', `${jewelry} > Rings`],
  ['Accessories > Cufflinks > Cufflinks', `${extras} > Cufflinks`],
  ['Accessories > Bags > Duffel Bag', `${bags} > Duffel Bags`],
  ['Personal Care > Makeup > Kajal and Eyeliner', `${cosmetics} > Makeup > Eye Makeup > Eyeliner`],
  ['Accessories > Jewellery > Bracelet', `${jewelry} > Bracelets`],
  ['Personal Care > Makeup > Highlighter and Blush', `${cosmetics} > Makeup > Face Makeup > Blushes & Bronzers`],
  ['Personal Care > Lips > Lip Liner', `${cosmetics} > Makeup > Lip Makeup > Lip Liner`],
  ['Accessories > Bags > Messenger Bag', `${bags} > Messenger Bags`],
  ['Personal Care > Skin Care > Sunscreen', `${cosmetics} > Skin Care > Sunscreen`],
  ['Accessories > Gloves > Gloves', `${extras} > Gloves & Mittens`],
  ['Personal Care > Hair > Hair Colour', 'Health & Beauty > Personal Care > Hair Care > Hair Color'],
  ['Apparel > Apparel Set > Swimwear', `${clothing} > Swimwear`],
  ['Personal Care > Eyes > Mascara', `${cosmetics} > Makeup > Eye Makeup > Mascara`],
  ['Apparel > Innerwear > Shapewear', `${clothing} > Underwear & Socks > Shapewear`],
  ['Accessories > Headwear > Hat', `${extras} > Hats`],
  ['Sporting Goods > Wristbands > Wristbands', `${extras} > Wristbands`],
];
