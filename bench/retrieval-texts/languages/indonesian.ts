export const indonesian = `
Barang yang dibeli di toko daring dapat dikembalikan dalam tiga puluh hari setelah diterima. | Berapa lama batas waktu pengembalian barang?
Uang dikembalikan dalam lima hari kerja melalui cara pembayaran yang sama. | Kapan uang saya kembali?
Ongkos kirim Rp20.000 dan gratis untuk pembelian di atas Rp300.000. | Berapa ongkos pengiriman?
Paket biasanya tiba dalam dua sampai tiga hari kerja; barang besar memerlukan satu minggu. | Berapa hari paket saya sampai dan tiba?
Toko kami di Jalan Merdeka buka Senin sampai Sabtu pukul sembilan sampai tujuh malam. | Jam berapa toko dibuka?
Di belakang gedung ada dua puluh tempat parkir untuk pelanggan; dua jam pertama gratis. | Apakah bisa memarkir mobil di sana?
Peralatan listrik bergaransi tiga tahun dan baterai satu tahun. | Berapa lama garansi baterai?
Jika lupa kata sandi, mintalah tautan untuk mengatur ulang di halaman masuk. | Saya lupa sandi, bagaimana masuk?
Kami menerima kartu kredit, transfer bank, dompet digital, dan bayar di tempat. | Pembayaran bisa dengan kartu apa saja?
Janji temu dapat dibatalkan tanpa biaya sampai dua puluh empat jam sebelumnya; sesudah itu dikenai biaya. | Bagaimana cara membatalkan janji tanpa kena biaya?
Kartu hadiah berlaku tiga tahun sejak tanggal pembelian. | Sampai kapan kartu hadiah masih berlaku?
Anjing boleh masuk dengan tali, kecuali di bagian makanan. | Bolehkah saya membawa anjing?
Sarapan disajikan pukul tujuh sampai setengah sebelas di taman dalam.
Wifi gratis tersedia di semua kamar; kodenya ada pada kartu kunci. | Di mana kode wifi kamar?
Kamar dapat ditempati mulai pukul tiga sore.
Pada hari kepulangan, kamar harus dikosongkan sebelum pukul sebelas. | Pukul berapa harus mengosongkan kamar?
Tagihan dikirim sebagai PDF lewat surel; cetakan hanya atas permintaan.
Alamat baru diubah di akun pada bagian Alamat. | Saya pindah rumah, di mana mengubah alamat?
Setiap Rp10.000 memberi satu poin; seratus poin bernilai Rp50.000.
Mahasiswa mendapat potongan sepuluh persen dengan menunjukkan kartu. | Ada potongan harga untuk mahasiswa?
Berhenti berlangganan buletin lewat tautan di akhir setiap edisi.
Layanan pelanggan menjawab keluhan dalam satu hari kerja.
Perbaikan memakan waktu sekitar sepuluh hari; alat pinjaman tersedia bila diminta. | Apakah dipinjami alat selama diperbaiki?
Suku cadang tersedia sampai sepuluh tahun setelah produksi berakhir.
Pemasangan dapur dikerjakan mitra kami dengan harga tetap.
Pelatihan diadakan setiap Selasa pertama.
Anak di bawah enam tahun menginap gratis di ranjang orang tua.
Pintu masuk dan lift dapat dilalui kursi roda. | Apakah gedungnya ramah kursi roda?
Bagasi dititipkan pada hari kepulangan sampai pukul enam.
Taksi ke bandara sekitar Rp150.000.
Kolam renang dihangatkan dan tutup pukul delapan.
Sauna berbayar Rp90.000 termasuk handuk.
Barang temuan disimpan selama tiga bulan. | Barang saya hilang, berapa lama barang temuan disimpan?
Merokok hanya diperbolehkan di teras.
Setelah pukul sepuluh malam mohon tenang.
Asuransi kerusakan Rp20.000 per bulan.
Data pribadi dihapus dua tahun setelah pesanan terakhir.
Lowongan kerja ada di halaman Karier.
Ruang rapat untuk dua belas orang disewakan per jam.
Pelanggan grosir mendapat petugas khusus mulai seratus buah.
`
