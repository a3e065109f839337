-- A value as it can stand in a message: on one line, and nothing where a reader would see nothing. Spaces of every width,
-- joiners, marks of direction and fillers are written out: what is a space differs from one locale to another.
create or replace function fillable(value text) returns text
  language sql immutable parallel safe
  return case when btrim(value,
    E' \u0009\u000a\u000b\u000c\u000d\u0085\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b\u180c\u180d'
     '\u180e\u180f\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u200e\u200f'
     '\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068'
     '\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u2800\u3000\u3164\ufe00\ufe01\ufe02\ufe03\ufe04\ufe05\ufe06\ufe07'
     '\ufe08\ufe09\ufe0a\ufe0b\ufe0c\ufe0d\ufe0e\ufe0f\ufeff\uffa0'
  ) <> '' then btrim(regexp_replace(value, '\s+', ' ', 'g')) end;
