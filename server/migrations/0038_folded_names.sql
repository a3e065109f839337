-- Text as names are searched by: lower case, without accents. The extension `unaccent` is not used: its function is not
-- immutable, a server need not have it, and it knows neither Arabic nor Devanagari marks.
--   1. Compatibility forms become plain letters (full width, ligatures), accented letters a letter and its marks.
--   2. Marks that readers leave out when they type are removed: U+0300 to U+036F (Latin, Greek, Cyrillic), Hebrew points,
--      Arabic harakat, superscript alef and tatweel, the Devanagari nukta. All other marks stay: vowel signs, Thai tone
--      marks and Japanese voicing marks spell different words. й, ў, ї, ѓ and ќ are letters of their own, ё is not.
--   3. What is left is composed again, so that Hangul and kana match as syllables.
--   4. Letters that Unicode does not decompose are mapped: ø, ł, đ, ß and others, final sigma, alef with hamza or madda.
-- ASCII, the common case, needs none of it. Folding folded text changes nothing.
create function fold_text(value text) returns text
  language sql immutable parallel safe
  return case when octet_length(value) = length(value) then lower(value collate "C") else
    translate(
      replace(replace(replace(replace(
        lower(normalize(regexp_replace(normalize(value, nfkd),
          U&'[\0300\0302-\0305\0307\0309-\036F\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0640\064B-\0652\0670\093C]'
          || U&'|(?<![\0413\0433\041A\043A])\0301|(?<![\0418\0438\0423\0443])\0306|(?<![\0406\0456])\0308',
          '', 'g'), nfc)),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'øłđðħıŋŧəɛɔɓɗƙƴς' || U&'\0623\0625\0622\0671', 'olddhinteeobdkyσ' || U&'\0627\0627\0627\0627')
  end;

-- A `like` pattern for text that holds the value as it is.
create function substring_pattern(value text) returns text
  language sql immutable parallel safe
  return '%' || regexp_replace(value, '([\\%_])', '\\\1', 'g') || '%';

-- Contacts are searched by their folded names. The column stops being generated, because an expression cannot be changed
-- before PostgreSQL 17, and dropping it would drop the primary key and every foreign key to it. The trigger writes it
-- always, also in sessions that replicate or restore. The table is locked for an instant; the next migration folds the
-- names that are there.
alter table contacts alter column search_text drop expression;
create function write_contact_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := fold_text(new.name) || ' ' || new.phone_number;
  return new;
end $$;
create trigger write_search_text before insert or update of name, phone_number on contacts
  for each row execute function write_contact_search_text();
alter table contacts enable always trigger write_search_text;
