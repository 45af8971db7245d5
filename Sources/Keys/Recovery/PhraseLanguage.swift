/// The languages besides English in which wallets make recovery phrases.
///
/// Source: BIP-39, "Wordlists"; embedded, so that the program needs no other file.
enum PhraseLanguage {
    /// Returns the name of the words' language; `nil` for English, and for words of no list.
    ///
    /// - Parameter words: In lower case and decomposed (NFKD).
    /// - Returns: The name in English, such as `Spanish`.
    static func other(of words: [String]) -> String? {
        if let name = words.lazy.compactMap(script).first { return name }
        let starts = words.map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.filter(\.isASCII)).prefix(4))
        }
        let english = words.count { EnglishWords.number(of: $0) != nil }
        let counts = lists.map { name, list in (name, starts.count(where: list.contains)) }
        // One word may be mistaken; a list shares some words with the English one.
        guard let best = counts.max(by: { $0.1 < $1.1 }), best.1 > english,
            best.1 * 4 >= words.count * 3
        else { return nil }
        return best.0
    }

    /// Returns the language of a word if its letters show it.
    private static func script(of word: String) -> String? {
        for letter in word.unicodeScalars {
            switch letter.value {
            case 0x3041...0x30FF: return "Japanese"
            case 0x1100...0x11FF, 0xAC00...0xD7A3: return "Korean"
            case 0x4E00...0x9FFF: return "Chinese"
            default: continue
            }
        }
        return nil
    }

    /// The first four letters of each word without accents, which are unique.
    private static let lists = texts.map { name, text in (name, starts(in: text)) }

    /// Reads a list: a digit says how many letters a prefix shares with the previous one.
    private static func starts(in text: String) -> Set<String> {
        var (starts, last): (Set<String>, String) = ([], "")
        for letter in text where !letter.isWhitespace {
            if let count = letter.wholeNumberValue {
                starts.insert(last)
                last = String(last.prefix(count))
            } else {
                last.append(letter)
            }
        }
        starts.insert(last)
        return starts.subtracting([""])
    }

    private static let texts = [
        (
            "Czech",
            """
            0abdi2ec1dre1gre1kce2to1lej2ko1mpu1nan2du2ek2ke2ti2ul1rch2og1sfa2is2pi2tm3r1tla3e2ol1u
            to1zyl0babk2ch3i3u2da2ge3r2hn2kt2la3e3k3o3v3z2mb2nk2rb3e3m3o3v2te3o2vl2za3i3u1edn2ra2s
            e3t2to2zi3m3t1icy2dl2ft2ki2la2og3l2tv2zo1lah3t2ec3d3s2ik3z2ok3u2ud1obe3r2dl3n2ha2jk3o2
            ko2le2re3o2ta2ub3c3d3l3r2xe1rad3m3n3t2ep2ik2ko2lo2on3s2un3s2zd3y1ubl3n2ch2di3k3o2fe2ja
            2kv2ld3v2nd3k2rz2ti2vo2zo1ydl2li2to1zuk0capa2re1edr3u2jc3n2la3e3k3n2ni3n3o3t3z2st2tk1h
            al3p3r3t2ec3m2ic3r2la3e3u2me3u2ob3c3d3l3m3p3r3v2ra3l3t3u2ti2ud3t2va3i3o2yb3s3t1ibu2ga2
            he3l2nk2rk2st2ta3r2zi3o1lon1oko2uv1tit2no1udn2ke3r2po1vak3l2ik2rk1ykl0dale2re2te3u1cer
            1eba2ch3i2fi3l2kl3r2mo2pr2rb2sk2te1iko3t2od2pl2sk3p2va3o1lah2ou2uh1nes1obr3y2ce3h2dn2h
            l3o3r2je3n2kl3o3t3u2la3e3i2ma3i3l3o2nu2pa3i3l3o3r3u2ra3o3t2sa3l3t3u3y2ta3e3k2uf3t2vo2z
            a3n3o1rah3k3m3v3z2do2ob3g3z2sn2ti2zo1ube2ch2de2ha3o2si3n2to1voj3r1yna0ekol3n1lek2ip1ma
            i2is2oc2pa1piz2oc3p3s1sej3n2ko3y1tik1ufo1vol1xek2ku2pe3l3o2tr0fack2jf2ku2na3t2rm2vo2zo
            1ede2je2nk1ial2gu2lo3t2na3t2xa1jor1lan2ir2ot1ond2sf2tb3k3o1rak2es2on1uka2nk1yzi0gale2r
            a1ene2ol1ilo1laz2ej1ole3f2ti1raf3m3n2ep2il2og3t1uma0hadi3r2la3e2nb3o2rf3p2vr1ebk2jk3n3
            t2kt2lm2ma2re3n2sl2zk1ist1lad3s3v2ed3n2od3h3u2ta2ub3c1mat2ot2yz1nis2oj3u1obl3o2ch2di3l
            3n3o2jn2ke2li3k3u2mo2ni3o2ra3d3i3k3l3m3n3o3s2sp3t2to2ub3f3p3s2vo1rad3n3v3z2bo2di3l3o2n
            e2ob3m3t3u3z2st2ub2yz1ube3n2db2ko2mr2si3t1voz1ybn2dr2gi2mn2st0idyl1hne1kon1luz1mun1nfe
            3l2ka2ov2sp2te2va3e2ze1ron0jabl2ch2ho2km3o2lo2nt2rm3o2sa3n2tk2vo2zy1edi3l3n2hl2ko2le3i
            2mn2no2pi2se2vi2zd3e1ina3d3o2sk3t2tr2zv1men1ogu1urt0kaba3e3i2ch2de3i2ha2ja3u2ka3t2la3h
            3i3n2me3k3n2ni3o3t2pa3e3i3k3l3o3r3u3y2ra3o3t2sa2ta3e2uc3z2va2za3e3i1dek3s1edl2mp2ra1in
            o1lac3d3m3p3s3u2ec3n3p3s2id3m3s2ob3k3p3u2ub3s3z1men2it2ot1nih2ot1oal2be3k3l3y2co2ho2je
            2ko3t2la3e3i3o2ma3e3i3n3o3p3u2na3c3d3e3f3g3i3k3t3z2pa3i3n3r2rb3e3m3o3p3u3y3z2sa3t2te3l
            3o2uk3p3s3z2vb2za3o1rab3c3j3l3s3v2ed3j3s3v2ik3t3z2ka2me3i2oc3k3n3p3u3v2te2uh3p3t2vi2yc
            3p3s3t1udl2fr2jn2kl2la3i3k3o3t2na2po2rt3z2ti1val3s2es1yno2se2ta3i3k3o2va0labr2ch2dn2ik
            2ko2me3p2no2si3o3t2ti2vi1ebk2ck2de3n3o3v2ge3i3r2hc3k3n2kt2no3t2pe3i2ta3e3m3o2vh3i3o1ib
            r2ch2do3s2ho2ja2le2me2ni3k3o2st2ti3o1obi2di2gi3o2ka3e2mc2pa3u2rd2so2tr2ud3h3k3s2ve1sti
            1uce3i2mp2sk3t1vic1yra3i2si0mada3l2gi2ha2je3i3o2ka3o3r2lb3i3o3v2mi2nd3k2rn2sa3k3o2ti3r
            3u2za3i3l3u1dlo1ech2di3o2la3o2nt2tl3o3r2ze1igr2hn3u2ki3r2le3i3o2mi2nc3i3o3u2sk3t2xo1la
            d2ha3o2ok2sa2uv1nic2oh1obi2cn2de3l2hy2kr2le2me2na3o3s3t3z2sa3k3t2ti3o3y2uc3d2za3e3o1ra
            m3v2ke2tv2ze3u1sti1udr2fl2la2mi2ni2se2ta2ze3i1ysl1zda0nabo2ch2da3b3h3o3p2hl3n3o3r2iv2j
            e3i3m2kl3o3r2le2ma3l2no2ok3p3s2pa3e3l3n3o3r2ro3u3y2sa3e3l3t2to2ve3r3z2zv1ebe2ch3k2da3b
            3u2ga2he3o2je3p2kl2li2mi3o2oc3n2po2ro3v2sm3o2tv2ur2vi2zv1ico2ja2ka3d3l3t2tr1ocl2ha2mi2
            ra3e2si3n2uz2vi3o2zd1uda3l2ge2ti3n3r1ymf0obal3r3v2di2ec3h3j3z2ha2il2ja3e2kl2la3e3i3o3u
            2no2oh3j3u2ra3n3u3y2sa3l3t2uv2va3i3o3y2yv2zo1cas2el3n2hl3o3r2it1dbo3y2ch3i2eb3s3v3z2ha
            3o2je3i2ka3o2li3u2ml2ol2pa3i3l3o3u3y2ra2so3t3u2to3u2va3e3o3r2zn1fin2sa1hla2ni2ra3o3y1k
            ap2en2li2no2ou3v2ra3e3s3u2up3r3s1lej2iz1mak2el3z2la3o3u2yl1neh1pak3s2er2ic3l3s2or3z2ra
            3o1rbi2ch2gi2li3o2te1sad2ch2ik3v2la3e3n3o2no2ob3l2pa2te3r3u3y2vo1tep2is2op2rh3l3o3u2vo
            1van3r2es2li2oc1xid1zdo0pach3i2do2ho2kt2la3e3i3u2mf3l2ne3i3n3o3s3t2pr2rk3o3t3u3y2se3i3
            t2te3r2vo2zn3o1eck2da2js2kl2lo2na3d3z2ri3o2st2ta3i3r2vn2xe1ian2ha2ja2kl3n2li3n3u2nz2pe
            2sa3t2te2vn3o1lac3k3m3n3s3t3v3z2ec3m3n3s3t3v2iv2ni3o2oc3d3m3u2uk2yn1oba3y2ch3i3t2da3c3
            e3h3i3k3m3n3o3p3r3s3v3z2ez2ha3n3o3r3y2in2ji3m2ka3l3o3r3u3y2le3i3k3o3y2ma3i3l3o3s3y2ne3
            o3u2pa3e3i3l3r3s3u2ra3c3o3u3y2sa3e3i3k3l3o3p3t3u3y2ta3k3l3o3r3u3v2uk3t3z2va3i3l3o3r3s3
            y3z2zd3e3n3o3v1rac3h3k3l3o3p3s3v2in2kn2ob3c3d3f3h3j3l3m3n3p3r3s3t3u3v2sk3t2ud3t2ve3o1s
            an2ov2tr1tac1ube2ch2dl2ka3l3r2lt2mp2nc2pe2sa3i3t2to3y1yra2sk2te0race3h2di3n3o2ft2gb2ke
            3o2me3p2nd2ra3i2so3t2to2za3i1eag3k2ce2da2fe3l2jn2kl3o3r3t2pu2vi3m3o2ze1isk2zi1obo2do2h
            o2kl3o2ma2po3u2re2so3t2tm3o3u2ub3c3p3r2vi3n2zb3c3d3e3h3i3j3k3l3m3p3r3s3t3u3v1ubr2ch2ka
            3o1yba3o2ch2dl2pa2ti2zo0sadi2ha2ko2me3i3o2ni2rd2sa2te2zb3e1bor1cho1ebr2ce2da3i3l2hn2jm
            2ke3t3u3v2me2no2rv2sa3h3k3l3t3u3y2tb3i3k3n3r2ve2zn1hod2rn1ifo2ln2rk3o3u2tu1kaf3l3n3u2e
            p2ic2la3e3o3u2ob3k3r2ri3z2up2vo3r1lab3d3n3s3v2ed3p3v3z2ib3n3z2on3u3v2uc3h3n3p2za1mar2e
            t2il2lo2og2ra3k3t2ut2ys1nad3h2ob1obo2ch2do2ko2pk2tv2ub3c3d3h3l3m3p3s3t3v1pal3s2is2la2o
            d3j3l3n3r3u2rc2us1ran3z2dc2na3e2ov2pe2st2ub1tan3r3t3v2eh3z2od3l3p3r3u2ra3e3h3o3u2ud3p2
            vo2yk1ubj3t2ch2do2kn2nd3o2ri3o1vah3l3t3z2et2is3t2ob3d3r2ra1yka3o2ne3o2pa3k2ro2se2to0ta
            bl3u2ho2je3f3g3i3n2kt2mh3p2nc3e3k2pe2ve2za1ech2hd2ku2le2mn2nd3i3o2pl3n3r2ra3m2xt1ich2s
            k2tu1kad3n1lap2es2uk3p1mel1oal2pi3o2rz2uh3l1rad3k3m3s3v2ef3s3z2ha3l2oc3j3s3u2pc3i3k2ub
            3c3h3s2va1udy2hn3o2nd2ri3n2ze1var2or2rd3z1ygr2ke0uboh3z2ra3o3u2yt1cho2ti1div1hra1jed2i
            s2mo1kaz2li3o2ot2ro1lic3t2ov1myv1nav2if3k1pad2la3y2ou2ra1ran3z1sed2il2mr2na3o2ou2tl3r1
            tah2ka2lu2on3p2ro1val2ol3z1zdr2el3n2li2na0vago2lc3o2na3d3i2ra3h3o1cel2ho1dov1edr2ge2jc
            2lb3e3i3m3r2nk2ra3z2se3k3n3p3t2te2ve1ibr2ch2de3i3l2la2ni2se2ta2ze3i1jez1kla2us1laj3k3s
            2ev2hk2iv2no2ou1nuc3k1oda3i3o3s2je3n3s2la3b3i3n2sk2zi3o1pra1rab3c3h3t2ba2ch2ha2st2tu1s
            ad2to3u1tip1yba3r2ch2da3r2fo2hl3n3o3r3u2ja3e3m2kl3o2le2ma3e3i3y2ne3i3u2pa3l3r3u2ra3o3v
            2sl3o3t3u3y2ta3e3r2vi3o3r2zd3n1zad2bu2ch2do3u3y2es2hl2ka2ly2ni2or2po2ta3e0xylo0zabr3y2
            ch2da3u2fo2hl3o3r3y2ja3e3i2kl3o2le2me3o3y2ne3i2pl3o3s2ra2st3u2ta3e3k2uj2va3e3i3o3r2zv1
            bav2ru2ud2yt1dal3r3t2iv2ob2ro2vi2ym1ele2ma3i2pt2za3d1hat2lt3u2ot2ru1ima3n1jem1kla2ou2r
            a2um1lat2eh2ob3m3s3z1map3r3t2ij3z2oc3d2rz2ut1nak3l3m2ov1obr2ta2ub3f1plo2om2ra3o3u3v1ra
            d3n2ca2ni3o2ov2yc2za1tic2ra1ubo3r1ved3n3s2on2ra2uk2yk
            """
        ),
        (
            "French",
            """
            0abai3n2di2ei2ol3r3u3y2ra3e3i3o3u2se3o3u2us2ys1cad3j3r2ca3e3l3o3r3u2er2ha3e2id3e2om2qu
            2ro2te3i3u1dep3q2he2je3u2me3i2op3r3u2re3o2ul2ve1ere3o1ffa3e3i3r3u1gac2en2il3t2ra3e3u1i
            de2gu2li2ma2sa1jou2us1lar2ch2er2ge3u2ie3m2le3i3o3u2ou2pa2te2ve1mat2bi3r2en3r2id3r2or3u
            3v2ph3l2us1nal3p3r3t2ci2ea2gl3o3u2im2ne3o3u2od3m3n3r2te3i2xi1pai2er2la2ol2pa3e3o3u1qua
            3e1rbi3u2de3o2ge2le2ma3e3o3u2pe2ra3i3o2se2te3i1spe3h3i2sa3e3i3o3u2ti3r3u1tel2om2ri3o2t
            a3e3i3r1uba3e2da3i2gu2ro2to3r1val3n3r2en3r3u2ia3d3o3s2oi3u2ri1xia3o0badg2fo2ga3u2ig2la
            3c3e3i2mb2nc3d3l3n3q2rb3i3o3q3r2ss3t2ta3e3t2ud2va1ele3i3o2ne2rc3g3l3m2sa3o2ta2ur1ibe2c
            y2du2jo2la3i3l2na2ol3p3t2sc3o3t2tu2za1laf3g3n2es2in2on3q3u1oba3i2ir3s2li2nb3d3h3i3u2rd
            3n2tt2uc3e3g3l3q3r3s3t2xe1ran3s3v2eb3c3u2ic3g3l3o3q2oc3d3n3u3y2um3s3t3y1uff2is2ll2re3i
            2st2ti3o2va3e0caba3i2ch2de3r2fe2il3s2lc3e3i3m3o3v2ma3e3i3p2na3e3o3t3u2pa3o3r3s3t3u2ra3
            b3e3i3n3o3r3t2sc3i3q3s2us3t2va3e3i1edi2in2le3l2nd3s3t2rc3e3i3n3v2ss1hag3i3l3m3n3p3r3s3
            t3u3v2em3n3q3r3v2ie3f3g3m3o2lo2oc3i3s3u2ro2ut1iga3o2me2ne3t2rc3e3q2te3o3r2vi1lai3m3q3s
            3v2ie3g3m3v2oc3n3p1oba3r2ca3o2de3i2ff2gn2he2if3n2le3i3l3m3o2mb3e3m3p2nc3d3f3g3n3s3t3v2
            pa3i2ra3b3d3n3p3r3t2sm3t2to2ud3p3r3t3v2yo1rab3i3v3y2ea3d3m3u3v2ib3e3s3t2oi3q3t2uc3e2yp
            1ubi2ei2il3s3v2lm3t2mu2pi2ra3s1yan2cl2li2ni0daig2mi2ng3s2up1eba3i3o3r3u2ca3e3h3i3l3o3r
            3u2da3u2es2fe3i3r2ga3i3l3r2je2li3o2ma3e3o2ni3o3t3u2pa3e3h3l3o2ra3o2sa3c3e3i3o3s3t2ta3e
            3o3r2va3e3i3o1iab3l3m2ct2ff2ge3i3n2lu2ma3i2ox2re3i2sc3p3s3t2ve3i1oci3t2gm2ig2ma3i3p2na
            3j3n2pa2rt3u2sa3e3s2ta2ua3b3c3t2ye1rag3p2es2ib2oi1upe3l2ra3c1yna0eblo1car2ha3e2la3i3o3
            u2ol3n3r3u2ra3e3i3o2um3r1dif2uq1ffa3e3i3o3r3u1gal3r1jec1lab3r2ec3g3p3v2ig3t2og2uc3d1mb
            a3e3r2er2is2me2ot3u2pe3l3o3r2ul1nca3h3l3o2di3o3r3u2er2fa3e3o2ga3i3l2ig2ja3e2le2ne3u2ri
            3o2se2ta3e3i3o3r2um2va3i3o2zy1oli1pai3r3t3u2ic3d3e3l3n3s3t2oq2re3o2ui1que3i1rig2os2re2
            up1sca2pa3e3i3o3r2qu2sa3e3i3o2ti3o3r1tag3l3n3t2ei3n3r2ha3i3n2ir2of3i3n3u2ra3o2ud1uph1v
            al3s2en2id3t2ol3q1xac3g3u2ce3i3l3u2ec3m3r2ha3o2ig3l3s2ot2pe3l3o3r2qu2te3r2ul0fabl3u2ce
            3i3t2ib2la2me3i2rc3f3i3o2sc2ta3i2uc3t2ve3o1ebr2co2de2li2mm3u2nd2od2rm3o3v2st2ui3t2vr1i
            as2ce3t2de2gu2la3e3i3l3m3o3t2na3i2ol2rm2ss2xe1lai3m3s3t2ea3c3u3x2oc3r2uc3i3v1oli2nd3g3
            t2rc3g3m3t2ss2ud3g3i3l3r1rag3i3n3p3y2eg3i3l3m3n3r2ia3c3s3v2oi3m3n3t2ui1ugi2it2re3i3t2s
            i2tu0gagn2la3e2mb2ra3d3n3r2ze3o1ean2la3u2nd3e3i3o3t2ol3m2ra3m2st2ys1ibi2cl2ra2vr1lac3i
            2is2ob3i3r1olf2mm2nf2rg3i2ud3f3l3p3r3t1rad3f3i3n3p3t3v2en2if3l3m2og3n3t3u2ug3t3y1uep3r
            2id3m3t2st1ymn2ro0habi2ch2lt2me2ng3n2ri3m3p2sa1eli2ma2rb3i3m3o2si2ur1ibe3o2la2st2ve1om
            a3m3o2nn3o3t2rd3i3l3m3r2ul3s1ubl2il2ma3b3i3o2rl1ydr2gi2mn2pn0idyl1gno2ua1lli3u1mag2bi2
            it2me3o3u2pa3e3l3o3r3u1nca3e3i3l3o2de3i3u2ed3p3x2fi3l3o3u2ge2ha3i2je3u2no2oc3n2sc3e3i3
            o3p3t3u2ta3e3i3r3u2ut2va3e3i3o1ron2ra3e3i1sol1voi2re0jagu2il2mb2nv2rd2ug3n2ve1eta3o2ud
            3n1oin2nc3g2ue3i3r2vi2ya3e1ubi2ge2ni2po2ri2st2te2ve0kaya1imo2os0labe3i3o2ce3t2gu2in3s3
            t2mb3e3p2nc3g3t2pi2rg3m2ur2va3o1ect2ga3e3u2ss2tt2vi2xi2za1ias2be3r2ce3o2eg3v2ga3o3u2me
            3i3o3p2ne3g2on2qu2si3t2th3i3t2vr1ogi2in3s2mb2te2ue3r3t3v2ya1ubi2ci3r2eu2gu2is2mi2na3d2
            ro2tt2xu0mach2ga3e3i2ig3l3n3r3s2jo2la3e3h3i3l2mm2nd3i3q3t3u2ra3b3c3d3i3q3r3t2sc3s2te3i
            3r2ud3s3v2xi1ech3o2da3e3i3u2il2la3o2mb3o2na3e3h3s3t2rc3i3l2ss3u2ta3e3h3i2ub1iau2cr2et2
            gn3r2li3l2mi2nc3e3i3o3u2ra3o2ss2xt1obi2de2el2nd3i3n3o3s3t3u2qu2rc3s3t2te3i2uc3f3l3s3t3
            v1ult2ni2ra3e3m2sc3e3i2ta3e3u1yri3t2st2th0nage2pp2rq3r2ta3i3u2uf3t2vi1ebu2ct2fa2ga3l3o
            2ig2rv2tt2ur3t2ve1ich3k2tr2ve1obl2ci3t2ir3s2ma3b3m2rm2ta3i3o2ur3v2va3e3i1uag3n2ir3s2me
            2pt2qu2tr0obei2je2li2sc3e3t2te3u1cca3u2ea2to3r3u2ul1deu2or1ffe3i3r1giv1ise3i1lfa2iv1mb
            r2et1nct2du2er2ir1pal3q2er2in2po3r2te3i1rag3n2bi2do2ei2ga3u2if2ne2qu2ti1sci2mo2sa1tar1
            ura3s2ti3r2vr1vat1xyd3g1zon0pais2la3m3o3p2na3d3g3i3n3o3t2pa3i3o3y2ra3c3e3f3l3o3r3s3t3u
            3v2ss3t2te3i3r2vi3o2ye3s1eig3n2la3i3l3o3u2nd3e3i3s3u2pi3l2rd3f3i3m3p3s3t2se2ta3i3r2up1
            har2ob3q3t2ra2ys1ian2ct2ec3r3u2lo2nc2pe2qu2ro2sc3t2vo2xe2zz1lac3f3i3n3q3s3t2eu3x2ia2om
            3n2ui3m1och2es3t2in3r3s3v2la3i3l3y2mm3p2nc3d3e2rt2si3s3t2ta3e3i2uc3l3m3r3s3v1rai3t2ec3
            d3f3l3n3s3t3v2im3n3s3v2ob3c3d3f3g3i3j3l3m3p3s3t3u3v2ud3n1syc1ubl2ce2is2lp3s2na3i2pi2ri
            2zz1yra0quas2er3s2ie3t2ot0raci3o2di2go2id3s2le3l2ma2pi2sa2ti2va3i2yo1eac3g3l3n2ce3i3l3
            o3r3u3y2di3o2fa3l3o3r3u2ga3i3l3u2it2je3o2la3e3i2ma3e3i3o3p3u2na3f3i3o3t3v2pl3o3r3t2qu2
            se3i3o3p3t3u2ta3e3i3o3r2un3s2va3i3o3u1ich2de2eu2gi3o2nc2po2si3q2tu2va3i1och2ma3p2nc3d2
            se3i2ta3o3u2ug3i3l3t2ya1uba3i2ch2el2gu2in3s2se3t1yth0sabl3o3r2co2fa2ge2is2la3i3o3u2me2
            nc3g2rc3d2tu2ug3m3t3v2va3o1cal3n2el3n3p2he2ie3n2or2ru2ul1ean2ca3h3o3r2da3u2ig2jo2le2ma
            3b3e3i2na3s3t2pa2qu2re3g3i3r3u3v2sa2vi3r2xt1ide2ec3g2ff2gl3n2le3i2mp2nc3i2ph2ro2sm2tu1
            kie1oci3l2di2ig2ld3e3i3u2mb3m3n2nd3g3n3o2rc3t2si2tt2uc3d3f3l3p3r3t3v1pac3t2ec2he2ir1ta
            b3t2er2im3p2ri2ud3p2yl1ubl3s3t3v2cc3r2ff2gg2iv2lf2pe3p2rf3i3m3p3s3v2sp1yll2mb3e2na3t2s
            t0taba3l2ct2il2le3i3o2mb3i2ng2pi2qu2rd3i3t2ss2ta3o2up3r2xe1emo3p2na3d3e3i3s2rm3n3r2ti2
            xt1hem3o3r2or1ibi2ed2mi2re3o2ss2ta3r3u1obo2le2ma2ni3n2po2rc3d3n3p3r3s3t2te2uc3r3s2xi1r
            ac3f3g3h3i3n3v2ef3m3s3u2ia3b3c3l3o3p3t3v2om3n3p3u1uil2li2mu2nn2rb2te3o2ya1ymp2ph3i2ra0
            ubue1lti3r1nan2if3o3q3t3v1ran2ba2ti1sag2in2ue3r1til2op0vaca3c2ga3u2il3n3s2la3i3l3v2mp2
            ni2pe2ri2se3s3t1ect2de2ge2hi2in2lo2nd3e3g3i3t2rd3i3n3r3s3t2st2te3u2xa3e1iad3n2ct2da3e2
            gn3u2la3l2na2ol2pe2re3t3u2sa3e3i3q3u2ta3e3i3r2va3i1oca2gu2il3s3t2la3c3t3u2ra3t2te2ul2y
            a3e0wago0xeno0yach0zebr2ni2st1ool
            """
        ),
        (
            "Italian",
            """
            0abac2ba3i2et2is2ol2ra3o1cca3e3u2et2hi2id2qu2re3i3o2ut1dag2de3o2eg3r2ip2ot2ul1ffa3e3i3
            r2or3s2ri1gav2en3v2ga2ir3t2on2ri3u2uz1lab3t2ba3e3o3u2ce3o2et2fa2ge2ia3b3m2la3e3i3o3u2m
            e2og2pa3e2ta3e3i3r2un2ve2za1mal3n3r2bi3r2eb3r3t2ic2ma3e3i3o2or2pi3l2ul1nac3g3l3r3t2ca3
            e3o2da3r2el2ge3o3u2im2ne3i3o3u2on2ti2zi1pat2er2od2pa3e3o3r3u2ri1rab3c3g3l3n3t3z2bi2ch2
            di2en2ge3i3u2ia2mo2ne2re3i3o2se3o2te2zi1sci3o2ep3t2fa2in2ol2pi3r2sa3e3o3u2ta3e3i3r1tav
            2ei2om3n2te3i3o3r3u1usi3t2ti3o3u1van2er2ve3i3o1zio2ot2zi3u0babe2cc3i3o2de3i2gn2it2lc3d
            3e3l3z2mb2nd2ra3b3c3i3l3o2si3s2to3t2ul2va3o1ecc2ff2lg3v2nd3e3i3z2re3l2ta1ibi2ci2do2fi2
            ga2la2mb2no2ol2pe3o2rb3r2sc3e3n3o3t2zz1lan3t1oll2ni2rd2sc2ta3t2zz1rac3d3m3n3v2et3v3z2i
            g3l3n2oc3d3n2ul3n1ubb2ca2di2ff2io2lb2on2rl3r2ss3t0cade3u2la3c3e3i3m3o2mb3e3i3m3o3p2na3
            d3e3i3o3t2pa3e3i3o3p3r3s2ra3c3d3i3o3r3t2sa3c3e3o3s3t3u2ta3e3r2ut2vi1edi3r2fa2le3l2na3o
            3t2ra3c3t3u3v2so3p2to1hel2ia3c3e3m3n3r3t1iao2cl2fr2gn2li2ot2rc3r2tr3t2uf2ve3i1las2in2o
            r1occ2da3i2er2gn2ll3m3o3p3t3z2ma3e3m3o3p3u2nc3d3f3g3i3n3o3s3t3v2pe3i3p3r2ra3d3i3n3o3p3
            r3s3t2sm3t2tt2va1rat3v2ea3d3m3s3t2ic3n3s3t2oc3n3s2uc3s1uci3u2gi2ll2po2ra3s3v2sc3t0dado
            2in2lm2me2ni3n3z2ta2va3v1ebu2ce3i3l3o3r2di2fi3o2gn2le3f3i3t2me2no3t2po2ra3i3o2sc3e3i3u
            2te2vo1iam2ce2ed2fe3f2ge3i2lu2na3n2pi3l3o2ra3e3o3u2sa3c3f3g3p3t3u2to2va3e3i3o1obl2ce2g
            a3m2lc2ma3e3i2nd3o2rm2te3t2vu2zz1rag2ui1ubb3i2ca2na2om2pl2ra0eban1cce3o2li2on1der2ic3l
            3t2uc1gem2li2oi2re1lab3r2eg3n3t3v2fi2ic2mo2sa2us1man2bl2es2ir2ot3z2pi2ul1nde3u2er2fa2o
            t2tr2zi1pat2il3s2oc2pu1qua1rar2ba3o2ed3m2ig2me2oe3s2ra1sag3m3n3u2ca2em3r2ib3g3s3t2of3r
            3s2pa3r2se3o2te3i3o3r2ul1til2ni2ru2to1ucl2ro1vas2id3t2ol2vi0fabb2cc3h2lc2mi2na3f3g3t2r
            e3f3i3m2sc3t3u2ti3o2vo1ebb2co2de2ga2lp3t2mm2nd3o2rm3r3t2ss3t2tt2ud1iab2du2fa2gu2lo2na3
            e3i2or2sc3i2um1lac3m2eb3m2or2ue3o1obi2ca3o2de2gl2la3c3g2nd3e3i3t2rb3c3e3m3n3o3t3z2sf3s
            1rac3n3s3t2ec3n3s2ig2ol3n2ug3t1uci3s2gg2lm3v2ma3e3o2ne3z2oc2rb3g3o2so2ti0gabb2ff2la3l3
            o2mb3m2ra3b3o3z2sd3o3t2tt2ud2ze3z1eco2la3s2me3m2ne3i3n3o2rg1hep2ia3s1ial2ld2ne2oc3i3r3
            v2ra3o2tt2ud3r3s1lob2ut1nom1obb2lf2mi3m2nf3n2ve1rac3d3f3m3n3t3v3z2ec3g2if3g3n2ot2up1ua
            d3i3n3r2fo2id0iber1con1den2il2ol2ra3i3o1gie2na3o1lar2le3o3u1mba3e3o3u2ma3e3o2pa3e3i3o3
            r1nal3r3t2ca3e3h3i3l3o3r3u2da3i3o2ed2fa3i3l2ga3e3l3o3r2ne2od3l3n2sa3e3i3o3u2ta3e3o3u2u
            m2va3e3i1per2no2ot2pi1rid2la2on2ri3o1sol3t2te3i3r1tal2er0labb3i2cc3e3r3u2dd2go2mp2nc3t
            2rd3g3i2st2te3i3t2va3o1ega3g2mb2nt3z2on2pr2si3s3t2tt2va3i1ibe2do2ev2ll2ma3i3p2ne3g2qu2
            ra3i2sc2te3i2vr1oca2de2gi2mb2nd3g2qu2re2to3t1uce3i2ma3i2ng2po3p2si3s2tt0maca3c3e3i2da2
            gi3l3n3r2io2la3g3i3s3t3u2na3c3d3g3i3n3o3s3t3u2pp2ra3c3e3m3s2sc3s3t2te3r3t3u2zu1ean2cc3
            e2de3i2ga2la3i3o2ni3o3s2rc3e3l2sc3e3s3t2ta3o3t1iag2ca3e3h3r2do2el2gl2la3i2mo2ne3i3o2ri
            3t2sc3s3t3u2te3i3r3t1nem1ode3i3u2ga3i2le3o2na3c3d3e3i3o3s3t3v2ra3d3s2st2ti3o3t2ve3i2zz
            1ucc3o2ff2gh3n2la3i3t2mm2nt2ov2ra2sa3c3i2te3o0naba2ft2no2rc3i3r2sc3t2tu2ut2vi1ebu2cr2g
            a3o2mm2of2re3v2ss2tt2ut2ve3r1icc2nf2ti1obi2ci2do2me3i2rd3m3v2st2ta3i3t2ve1ucl2ll2me2ov
            2tr2vo2zi0oasi1bbe3l2el2li2ol2so1cca3h3i3o3u2ra2ul1die2or1ffe3r3u1gge3i2nu1lan2fa2ia3v
            2og2tr1mag2be3r2eg2is1ndo2er2ic2ni2or2ta1per2in2po1rac3f2di2ec3f2fa2ga2ig3z2ma3e2na2ol
            2re3i2te3i2za3o1sar2cu2mo2pe3i2sa3i2ta3e1tit2re2ta3i3o1val2es2in3p2oc2un2vi1zio0pacc3e
            3i2de3r2es2ga3i2la3e3l3o3u2nd3n2ol3n2pr2ra3c3e3g3i3l3o3t3v3z2ss3t2ta3o3t2vo1ecc2da3o2g
            g2lo2na3d3i3n3o3s3t2pe3i2rb3c3d3f3g3i3m3n3p3s3t3v2sa3i3o3t2ta3t3u2zz1iac3n3t2cc3o2eg3t
            2ff2gi3o3r2la3i3l3o2mp2ne3n3o2og3m2ra3e3i3o2to2zz1lac3n3s3t2en1och2de3i2es2gg2le3i3l3m
            3p3s3t3v2mi3o2nt2po2rf3o3p3r3t2sa3i3s3t2ta3e1ran3s3t2ec3d3f3g3l3m3n3p3s3t3v2im3n3v2ob3
            c3d3f3g3l3m3n3p3r3t3v2ud3g3r1sic1ubb2di2gi3n2lc3i3s2nt2pa3i2ro0quad3l3s2er2ot0racc2dd3
            i3u2ff2ga3i3n2ma3i3o2nd3t2pa3i3p2sa3c3e3s3t2ta2vv1eal2ce3i3l3o3u2dd3i2ga3i3o3r2la2ma3o
            2nn2pl3r3u2sa3i3p3t2te3i3o3t2vo1ias2ba3e3r2ca3c3e3i3o3r2di3u2fa3l3o3u2ga3e3h2la3e2ma3b
            3e3o2na3c3f3n3o3s3t3u3v2pa3e3i3o3r3u2sa3c3e3i3o3p3t3u3v2ta3e3m3r2un2va3e3i3o2zo1oba3o3
            u2cc3o2da3e3i2gi2ll2ma3p2nz2so3p2ta3o3u2ve1ubi3r2ga2ll2mi3o2ol2pe2ss3t0saba3b3o2go2la3
            d3g3i3m3o3t3u3v2pe3i3o2ra3c3t2ss2te3i3o3u2va3i2zi1bad3l3n3r3t3v2en2ir2lo2oc2ri3u2uf1ca
            b3d3l3m3n3p3r3t3v2el3n3t2he3i2ia3e3n3p3r3v2le2od3l3m3n3p3r3s3z2ri3o3u2ud3l3o3r3s1deb2o
            g1ecc3o2da2gg3n3r3u2lc3e3l3v2ma3b3e3i3p2ns3t2po2qu2ra3b3e3i3p3r3v2st2to3t1fac3l3m3r3t2
            er2id3l3n2oc3d3g3l3r2ra3u2ug3m3s1gab3r2on3r2ra2ua1ibi2cc2er2gl3n2le3l2mb3p3u2nf3g3i3o3
            t3u2pa2sm3t2tu1lit2og3v1mar2em3n3r2il2on3t2us1nel3r2od1obb3r2cc3i2da2ff2gn2ld3e3i3l3o3
            u3v2ma3m2nd3e3n2pi3p3r2rg3p3r3s3t3v2sp3t2tt1pad3l3r3t3v3z2ec3d3g3l3r3s3t3z2ia3g3l3n3r2
            le2or3s2ra3e3o3u2un1qui1rad2ot1tab3c3f3g3m3n3r3s3t2el3p3r2il3m3r3v3z2on3r2ra3e3i3o3u2u
            c3f3p1ube2cc2do2gg3o2lt2on2pe3p2rg3r2ss2tu1vag2ed3g3l3n3z2il3s3z2ol2uo0taba3u2cc3i2le3
            i2mp2nn2ra3d3g3i3p3t2st2tt2ve3o2zz1eca3n2le2me3p3u2nd3e3s3t2or2rm3r3z2si3s3t2tr3t1ifa2
            ge2mb2nt2pi3o2ra3o2ta3o3u2zi3z1occ2ll3t2mb3o2nf3s2pa3o3p2rb3n3r3t2sc3s3t2ta1rab3c3f3g3
            l3m3n3p3r3s3t3v2ec3m3s2ib3c3f3l3n3o3s3t3v2om3n3p3t3v2uc1uba2ff2li2mu2ni2rb3c2ta3e0ubic
            1cce3i1dir3t1ffa3i1gua1lis2ti1man2il2or1nci2ge3h2ic3f3s3t2te1ovo1pup1rag2ge2lo1san3t2c
            i2ig2ur1ten2il2op0vaca3c2ga3l2la3g3i3l3o3u3v2mp2ng3i3o3t3v2po2ra3c3i2sc1ede3o3u2ge2ic2
            lc3i3l3o2na3d3t2ra3b3g3i3o3r3t2sc3s3t2te3r3u1ian2br2ce3h3i2di2gi3n3o2le3l2mi2nc2ol2pe2
            rg3o3u2sc3i3p3s3u2ta3e3t2va3i2zi1oce2ga2la3e3p2ra1ulc0zamp2nn2pp2tt2vo1efi2la3o2nz2rb1
            ibe2nc2rc2tt1oll2ti1ucc2fo2lu2pp
            """
        ),
        (
            "Portuguese",
            """
            0abac3i3l3t2du2el3r2is2ot2ra3e3i3u2si3o3u2ut1cab3l3m3n3s2ei3l3n3r3s3t2ha2id3m3o3r2la3i
            2ol3m3p3r2um3s1dap2eg3n3p3q3r3s3u2ia3t2je3u2mi2or2qu2ub2ve3o1ero1fas2er3t2in3v2li3u2ro
            1gac3r3s2en2il3o3t2or2ra3e3u2ua3l1joe2ud3s1lam3r3s3v2be3i2ca2de2ec3g3r2fa3i2gu2he2ia3c
            3e3n3v2mo2oc2pi2te3i2uc3g3n3s2vo1mac3d3r3s2ba3i2ei3n2id3s3z2ol3n3r3s2pa3l3o1nag3l3r3t2
            da2el3x2gu2im2jo2om3t2si2te2ui3n2zo1pag3l3n2eg3l3r3s3t2it2la3i2oi3n3s2re3o1que1ram3n3r
            2ca2de2ei3j3n3s2gi3o2ma2qu2ra3e3i3o3u2se2te3i2vo1sfa2il2pi2sa3i3o3u2tr1tac3d3l3r2ea3n3
            r3u2in3r3v2ol2ra3e3i2ua3m1udi2me2ra3o2ti3o3u1val3n3r2en3s2ia3s2ul1xil1zar2ed3i2ul0baba
            3o2ca3h3i2ga2ia3l3o3r3x2ju2le3i3s2na3d3h3i3q2ra3b3o3r3u2se3t2ta3e3i3o3u2un1ebe2ij3r3s2
            ld3e3g3i2nd3g3z2ri3l3r2so2xi2ze1ico3u2en2fo3u2go2lh2me3o2ol3m3s2po2rr2sc3n3p3s2to2za1l
            in2oc3q1oat2ba2ca3e3h2ic2la3e3h3o2mb2nd3e3i2rb3d3e3r2vi2xe1ran3s3v2eu2ig3l3n2oa3c3n3t2
            ux1uch2di2fa2le2ra2sc3t2zi0caba3e3i3o3r2ca3e3h3i2da3e2fe2ia3p3x2ja3u2la3c3d3i3m3o2ma3b
            3i3o3p3u2na3c3e3g3h3i3o3s3t3u2pa3e3i3o3r3t3u2ra3b3d3e3i3n3p3r3t3v2sa3c3e3t3u2ta3i2ul3s
            3t2va3e1ebo2di2go2le3u2no3s3t2rc3r3t3v2ti2va1hac3l3m3p3r3t3v2ef3g3i3q2ic3f3n2oc3v2um3t
            3v1ica3l2da3r2en2ga2me2nt3z2ra3c3u2ta1lar2er2ic2on2ub1oad3g2ba3e3r2ca2el3n3s2gu2ib3f3o
            2la3e3h3i3m3o3u2ma3b3e3i3o3p3u2nc3d3e3f3g3h3j3s3t3v2op2pe3i3o2qu2ra3d3n3o3p3r3t3u3v2ss
            3t2to2ur3v2vi2zi1rat3v2ec3d3m3r3s2ia3m3o3s3t2os2ua3z1uba2ec2id2jo2la3m3p3t2mp2nh2pi2ra
            3r3s3t2sp3t2te0dama2ta1eba3i3o3u2ca3i3l3o3r2da3i3u2fe3u2ge3r3u2it3x2la3e3i3o2ma3i3o2nt
            2pe3i3o3r3u2ri3r2sa3b3c3e3f3g3i3l3m3o3p3t3v2ta3e3o3r2us2ve3i3o2ze1iag3l2da2fu2gi2la3u2
            mi2na3h2oc2re2sc3f3p3q3s3t2ta2ur2ve3i3u2ze1obr2lo2ma3i2na3z2rm3s2sa2ur3t1ren2ib2og1uel
            3n3t2pl2qu2ra2vi0eclo2oa3l1dif3t2uc1fei3t1jet1lab2eg3i3n3v2im2og1mba3o3r3u2en3r2is2pa3
            e3i3o3r3u2ul1nca3e3h3o2de3o2fa3e3i2ga3e3l3o3r3u2jo2la2qu2ra3o3u2sa3e3i3o2ta3e3i3o3r3u2
            ve3i3o2xa3e3o3u1pid1qui1ret2gu2ra2va3i1sba3e2ca3o3r3u2fi3o3r3u2gr2ma2pa3e3i3o3r3u2qu2t
            a3e3i3o3r3u2va1tan2iq1ufo2ro1vac3p3s2en2id2ol1xag3l3m3t3u2ce3i3l2ec3m2ib3g2on2pa3e3i3l
            3o3r3u2te3i3r0fabr3u2ce3i2da3i2ix2la3t2mi2nd3f3t2rd3e3i3o3p3t2ti3o2vo2xi2ze1ech2ij3r2l
            i2mi2nd3o2ra3i3r3v2st2ta2ud1iap2br2ca3h2gu2le3h3m3t2rm2sg3s2ta2ve2xa3o1lac3m3n2ec2or2u
            t3x1oca3i2fo2go3u2ic2lg3h2rj3m3n3t2sc3s1rag3l3n3s3t2ei3n3t2ie3s3t2on2us3t1ugi2la3i2nd3
            g3i2ra3i2te0gaba3i2do2ia3o3v2le3h3i3o2nh2ra3f3g3i3o3r2so3t2ta3i2ve2ze1ela3e3o2ma3e3i2n
            e3g3i3o3r2ol2ra3m2ss3t1ina3c3g2ra3i1lac2ic2ob3r1oel2ia2lf3p2rd3j3r2st2te2ve1rac3d3f3l3
            m3n3t3v3x2eg3l3v2il3s3t2os3t2ud3n3t1uac3r3x2er2ia3n3s2la3o2ru0habi2rm2st2ve1ect2rd3e2s
            i1iat2be2dr2en2no2pi3n3o1oje2lo2me2ne3r2rm2sp1umo0iate1dei2os1gno2re2ua1les2ha2ud3m3s1
            mag2ed3n3r2in3t2or2pa3e3l3o3r3u2un1nal3p3t2ce3h3i3l3o2de3i3u2ef3r2fa3e3i3l3o3r2ge2ib3c
            3m2je2oc3d3v3x2qu2sc3e3i3p3t3u2ta3e3i3o3r2va3e3i3o1ogu1ran2on2re3i1sca2en2ol2qu1tal0ja
            ne3g3t2ra3d3r2sm2to2va2zi1eju1oan2el2ga2ia2rn3r2ve1uba2de3o2iz2lg3h2ra3i3o2st0laba3o2c
            r3t2dr2ga3o2je2mb3e3i3p2nc2pi3s2ra3e3g2sa3t2te3i2va3o3r2xa2ze1eal2br2ga3e3i2ig3l3t2mb3
            e2nh3t2oa2sm3t2ti3r2va3e3i1ibe3i2de2ga3e2mi3o3p2nd3e3h2qu2st3u2to2vr2xa3e1oca3u2ji2mb2
            na3g3t2rd2ta3e2uc3s3v1uar2ci3r2ne2st2ta2va0maca3e3h3i2de3r2gn3r2io3s2la3h3o3u2mi3o3u2n
            a3c3d3e3h3i3o3s3t3u2pe2qu2rc3e3f3g3i3m3o3q3r3t3u2sc3m3s3t2ta3e3i3u2xi1eda3i3u2ga2ig2la
            3h2mb3o2ni3o3s3t2re3g2sa3c3m3q3t2ta3e3r2xe3i1icr2ga3r2la3e3h2ma2ne3h3i3o2ol2ra3t2st1oc
            i2de3u2ed3r2in3t2ld3e3h3i3u2nt2qu2ra3c3d3e2sa3q3t2te3i3o3r1uda2it2la3h3t2nd3i2ra3c2sc3
            e3i0naci2da2ja2mo2ri3r2sc2ti3u2va3e3i1ebl3u2ga3o3r2rv2ta2ur2va3o1ina3h2ti2ve1obr2it3v2
            me3i2rd3t2ta3i3u2ve3i3o1ubl2de2me2pc2tr2ve0obce2ed2je2ri2sc3t2te3u1cid3o2or2ul3p1feg3n
            3r2ic2us1giv1lar2eo2ha2iv1mbr2el2is3t1ndu2er2te1pci2er2on3r3s1rar2bi2de3i2fa2ga3u2ie3g
            3u2la2to2va1sci2sa3o2te1tim1usa2to3u2vi1vel2ul1xid3g0paca3i3o3t2da3r2ga3o2in3r3s2la3e3
            h3i3m3p2nc3e3f3q3t2pa3e3i2ra3c3d3e3t2sm3s3t2ta3e3i3r2ul3s1ecu2da3e3i3r2ga2it3x2le3i2nc
            3d3e3h3s3t2rc3f3g3i3m3n3p3s3t3u2sc3q3s2ti1iad2ca2ed2gm2la3h3o2me2nc3g3h3o3t2on2po2qu2r
            a3e3u2sc3t2ta2ve1lan3q3t2eb2um3v1neu1oda2ei3t2le3i3u3v2ma3b2nd3t2pu2rt2ss3t2te2up3s2vo
            1rai3n3t3x2ec3d3f3m3n3p3s3t3v3z2im3n3s3v2oc3d3f3i3j3m3p3s3t3v1ubl2di2la3m3s2nh3i2pi2re
            2xa0quad3n3r3s2eb3d3i3n3r2im3n3o0raba3i2ch3i2di2ia3n3o3v2ja2la2ma2ng3h2pa3e3i3o2qu2ri2
            sa3c3g3p3t3u2ta3o1eal3n3v2ba3e3o2ca3e3h3i3o3r3u2de3i3o3u2en2fi3l3o3r3u2ga3i3r2in3t2je2
            la2ma3e3o2no2pa3e3l3o3r3u2qu2se3f3g3i3o3p3s3t3u2ta3e3i3o3r2ve3i3o1iac2ca2gi3o2ma2ng2sa
            3c3o1oba2ch2da3e3o2ed2le2ma2nc2sa3e3t2ta3e3i3u2uc3p2xo1ubr2gi3o2iv2mo2pe2ss0sabo2ci3o3
            u2di2fi2ga3r2ib2la3e3g3i3p3s3t3v2mb3u2na3f3g3i2pa2rd3g3j2tu2ud2xo2zo1eca3u2da3e3i3o3u2
            gm3r3u2iv2le3v2ma3e2na3h3s3t2pa2re3i3r3v2te3o1igi2lh3i2me3p3u2na3c3g3o3t2re3i2tu1obe3r
            2co2gr2ja2ld3e3t2mb2na3d3e3h3o2pr2qu2rr3t2ss2ta3e2va2zi1uav2bi3m3s3t2ca3e3o2de2fi2ga3e
            2je2lf2mi2or2pe3l3o3r2rd3f3p3r3t2sp3t0tabe3l3u2ch2ga2lh3o3v2ma3b3p2ng3t2pa3i2rd3e3j3r2
            tu2ur2xa3i1eat2ce3i3l2di2ia3m2le3h2mp2ne3s3t2rm3n3r2se3o3t2to2xt3u1iar2ge2jo2mb3i2ng3t
            2ra2tu1oal2ch2le3i2ma3i2ne3t2pe2ra3c3n3q3r3t2st2uc3p2xi1rab3c3d3f3j3m3n3p3s3t3v2ei3m3p
            3v2ia3b3c3d3l3n3p3t3u2oc3m3v2un3q1ubu2ca2do2li2pi2rb3m3q2te3o0uiva1mbi1nha2id3f1rol2so
            2ti2ub1sad2in2uf0vaci2di2ga2id2la3e3i3o2nt2qu2ra3e3r2sc3i3s2za3i1ead2da2ge2ic2le3h3u2n
            c3d3e3t2rb3d3e3g3m3n3s3t2sp3t2to1iad3g3j3t2br2de3r2el2ga3e3i3o2la2nc3h3i2ol2ra3t2si3t2
            tr2ve2zi1oad3r2ga2la3e3t3u2nt1ult2vu0xadr2ro1equ2re3i1ing0zang2rp1ebu2la1omb2ol1umb
            """
        ),
        (
            "Spanish",
            """
            0abac2do2ej2ie2og3n3r2ra3i2ue3s1cab3d2ce3i2ei3l3n3p2id2la2ne2og3s2ti3o3r3u2ud3e3s1dic2
            mi2op3r2ua3l1ere1fec2ic3n3r1gil3t2on3s3t2re3i2ua3d3i3j1hog3r1ire2sl1jed3n2us1lac3m3r2b
            a3u2ca2de2eg3j3r3t2fi2ga3o2ia3e3v2ma3e3i2ta3e3i3o3u2um2za1mab3n3p3r3s2ba3i2en2ig3s2or2
            pa3l1nad2ch3i3l2da3e2ej3m2gu2il3m3s2o3t2te3i3o2ua3l3n1pag3r2et2io2li2od3r3y2re3o2ue3r1
            rad3n3r2bi3o3u2ch3o2de3i3u2ea2id3e2mo2ne2om2pa3o2re3o3u2te3i1sa3d3l2ce2eg3o3s2ie3l3s2n
            o2om2pe2ti3r3u2um3n1taj3q3r2en3o2ic2le2om2ra3o2un1uda3i2ge2la2me2se2to1val3n3r2e3l3n3s
            2io3s1yer2ud3n1zaf3r2ot2uc3f3l0baba3o2ch2hi2il2ja2la3c3d2mb2nc3d3o2rb3c3n3r2sc3t3u2ta3
            e3i3u2ul2za1ebe3i2ll2sa3o3t1ich2en2ng1lan2oq2us1oa2bi3o2ca3i2da3e2in2la3e3s2mb2nd3i3o3
            s2rd3r2sq2te3i2ve2za1rav3z2ec3v2il3n3s2oc3m3n3t2uj3s3t1uce3l2en3y2fa3o2ho2it2lt2rb3l3r
            2sc2ta2zo0caba3e3i3r2ca2da3e2er2fe2id3m2ja3o2l3a3c3d3i3l3m3o3v2ma3b3e3i3p2na3c3d3e3g3i
            3o3t2ob3s2pa3i3o3t3u2ra3b3c3e3g3i3n3p3r3t2sa3c3e3p3t2to3r2ud3s2zo1ebo2de3r2ld3e3o3u2me
            2ni3t2rc3d3e3o3r3t2sp2tr1hac3l3m3n3p3r2ic3s3v2oq3z2ul3p1icl2eg3l3n3r2fr2ga2ma2nc3e3t2p
            r2rc3u2sn2ta2ud1lam3n3r3s3v2ie3m3n1obr2cc3h3i3o2di3o2fr2ge2he2ji3o2la3c3e3g3i3l3m3u2mb
            3e3i3o3p2nd3e3g3o3s3t2pa3i2ra3b3c3d3o3r2se3m3t1ran3t2ea3c3i3m2ia3m3p3s2om3n3q2ud3z1uad
            3r3t2bo3r2ch2el3n3r3s3v2id2le3p3t2mb3p2na3e2ot2po3u2ra3i3s3v2ti0dama2nz2r3d2ti1ebe3i2c
            a3i2do2fe3i2ja2lf3g3i2mo2ns3t2po2re3r2sa3e3f3n3t3v2ta3e2ud1ia3b3d3m3n3r2bu2ct2en3t3z2f
            i2gn2le3u2ne2re3i2sc3e3f2va3i1obl2ce2lo2mi2n3a2ra3m3s2s3i1rag2og1uch2da2el3n2lc2o2qu2r
            a3e3o0eban2ri1cha2o2ua1dad2ic3f3t2uc1fec2ic1je3m1lef3g3m3v2ip3t3x2og2ud1mbu2it2oc2pa3e
            3l3r1nan2ca3h3i2em3r2fa3e2ga2ig2la2or2re2sa3e2te3r2va3i1poc1qui1riz1sca3e3o3r3u2en2fe3
            u2pa3e3i3o3u2qu2ta3e3i3u1tap2er2ic2ni1vad3l2en2it1xac3m2ce3u2en2ig3l3s3t2pe3l3o2tr0fab
            r3u2ch3i3t2en2ja2ld3l3s3t2ma3i3o2ra3m3o3s2se2ti2un2vo2x1ebr2ch2li2o2ri3o3t3v2st1iab3n3
            r2br2cc3h2de2eb3l3r3s2gu2ja3o2la3e3i3t2n3c3g3i2rm1lac3u2ec2or3t2ui3j3o1obi2ca2ga3o2li3
            l2nd2rm3r3t3z2sa2to1rac3g3n3s3u2ei3n3s2io3t2ut1ueg3n3r2ga2ma2nc3d2rg3i2si2tb3u0gace2fa
            2it2jo2la3e3l2mb2na3c3g3s2ra3z2so3t2to2vi1eme3i2n3e3i3t2ra3e3m2st1iga2mn2ra3o1lac2ob3r
            1ol3f3o3p2ma2rd3i3r2ta3e2za1rad3f3n3s3t3v2ie3l3p3s3t2os2ua3e3m3p1uan3p3r2er2ia3n3o3s3t
            2sa3t0habe3i3l2ce3h2da2ll2ma2ri2z3a1ebi3r2ch2la3i2mb2ri3m3o3v1iel3r2ga3i2jo2mn2st1oci2
            ga3u2ja2mb2ng3o3r2ra3m3n2st2yo1uec3l3r3s3v2id3r2ma3e3i3o2nd2ra3t0icon1dea2io2ol1gle3u2
            ua1leg2us1mag3n2it2pa3e3o3u1nca2di2er2fi3o2ge2ic2me3u2na2se3t2te3i3u2ut2vi1ra2is2on1sl
            a3o0jaba3o2mo2ra3d3r2ul2zm1efe2ri1ine1orn3o2ve2ya1uer3v3z2ga3o3u2ic2nc3g3i3t2pi2ra2st2
            ve2zg0kilo1oal0labi2ci3r2do3r2ga3r3u2ic2me3i3p2na3c3g3z2pi2rg3v2st2ta3e3i2ur2va2zo1eal
            2cc3h3t2er2gi3u2ja2na3g3t2on3p2si2ta3r2ve2ye1ibe3r2co2de3i2en2ga3e2ma3i3o3p2nc3d3e3g3o
            3t2qu2so3t2te3i3r1lag3m3n3v2eg3n3v2or3v2uv1obo2ci3o3u2gi3r2mb3o2nj2te1uch3i2ga2jo2na3e
            2pa2st2to2z0mace3h2de3r3u2es2fi2gi3o2iz2ld3e3l3o2ma3b3u2na3c3d3e3g3i3j3o3s3t2pa2qu2r3c
            3e3f3g3i3m3r3t3z2sa3c3i2ta3e3i3r2xi2yo2zo1ech2da3i3u2ji3o2le3o2mo2no3s3t3u2rc3e3i2s3o2
            ta3e3o3r2zc1ied3l3m2ga2l3a3i3l2mo2na3e3i3u2op2ra2sa3e3i3m2ta3o1och3i2da3e2ho2ja2ld3e3i
            2me3i2na3e3j3o3t2ra3d3e3i3r3s3t2sc3t2ti2ve3i2zo1uch2da2eb3l3r3s2gr2je2la3e3t2nd3e2ra3o
            2sc3e3g3i3l0naca3i2da2ip2ra3i3r2sa2ta3i3u2us2va3e3i1eci3t2ga3o3r2on2rv2to2ut2va3e1ich2
            do2eb3t2ne3o2ti2ve1obl2ch2mi2ri3m3t2ta3i2va3e3i1ube2ca3l2di3o2er3v3z2lo2me2tr0oasi1bes
            2is2je2ra3e2se2te2vi1ca3s2ea2he3o2io2re2ta3u2ul3p3r1dia3o3s1est1fen3r2ic2re1gro1ido2r1
            jo1la2ea2fa2iv2la2mo2or2vi1mbl1nda2za1pac2ci2er2in2on2ta3i2ue1rac3d3l2bi2ca2de2ej2ga3i
            3u2ie3g3l2o2qu2ug1sad2cu2ez2o2tr1ton2ro1vej2ul1xid3g1yen1zon0pact2dr2el2gi3o2is2ja2la3
            c3e3i3m3o3p2n3a3i3t3u2pa3e3i2qu2ra3c3e3i3o3p3q3r3t2sa3e3i3o3t2ta3i3r2us3t2vo2ya1eat2ca
            3e3h2da3i2ga2in2la3d3e3i3l3o3u2na3o3s2on3r2pi2qu2ra3c3d3e3f3i3l3m3r3s2sa3c3i3t2ta3r2z3
            u1ica3h2e3d3r3z2ja2la3o2mi2na3o3t3z2oj2pa2ra2sa3c3o3t2to2zc1lac3n3t3y3z2ei3n2om2um3r1o
            br2co2de3i2em3s3t2le3i3l3v2ma3e3o3p2ne2rc3t2sa3e3i3t2te3r2zo1rad2ec3g3m3n3s3v2im3n3s3v
            2oa3b3c3d3e3f3g3l3m3n3p3x2ue1ubl2ch2do2eb3r3s2lg3i3m3p3s2ma2na3o3t2pa3i2re0qued3j3m3r3
            s2ie3m3n3t0raba3i3o2ci2di2iz2ma3p2nc3g2pa3i3t2sg3p2to2yo2za3o1eac3l2ba3o2ca3e3h3o3r3t3
            u2d3o3u2fl3o3r3u2ga3i3l3r2he2in3r2ja2la3e3i3l3o2ma3e3o2nc3d3t2pa3e3o3t2s3c3i3p3t3u2ti3
            o3r2un2ve3i2y2za1ico2eg3n3s2fa2gi3o2nc3o2o2qu2sa2tm3o2zo1obl2ce3i2da3e3i2er2ji3o2me3p2
            n3c3d2pa3e2sa3c3t2ta1ubi3o2do2ed2gi2id3n2le3o2mb3o2pt2ta3i0saba3e3i3l2ca2ga3r2la3d3e3i
            3m3o3s3t3u3v2mb2nc3d3e3g3i3o3t2po2qu2rd3t2st2ta2un2xo1ecc3o3r3t2d2gu2is2ll3v2ma3i2na3d
            3o3s2pa3i2qu2r3i3m3v2se3i2ta3e2ve2xo3t1idr2es3t2gl3n2la3b3e3l2mb3i2re2st2ti3u1obr2ci2d
            i2l3a3d3e3i3t3u2mb2nd3i3o3r2pa3l3o2rd3p3t2st2ta1uav2bi2ce2do2eg3l3n3r2fr2je2lt2ma2pe3l
            3o3r2r3c3e3g2st2ti0taba3i3l3u2co3t2jo2la3c3e3l3o2ma3b2ng3q2pa3e3i3o2qu2rd3e3i3j3o3r3t2
            tu2ur2za3o1eat2ch3l3n2ja3e3i2la3e2ma3o3p2na3d3e3i3s2or2ra3c3m3n3r2si3o3t2te2xt2z1ibi3u
            2em3n3r3s2gr2je2ld2mb3i3o2nt2o2pi3o2ra3o2ta3e3u2za1oal2bi2ca3i2do2ga2ld2ma2no3t2pa3e2q
            u2ra3e3m3n3o3p3r3s3t2s3c3e2xi1rab3c3e3f3g3j3m3n3t3u3z2eb3g3i3n3p3s2ib3g3p3s3u2of3m3n3p
            3t3z2uc3e3f1ube3o2er2mb3o2ne3i2rb3i3n2to0ubic1lce1mbr1na2id3r3v2o2ta1rba3e2ge2na1sar2u
            a1til2op1va0vaca3i3u2ga3o2in2ji2le3i3l3o3v2mp2ra3i3o2so1eci3t2hi2in2je2la3e3o2na3c3d3e
            3g3i3t3u2r3a3b3d3e3j3s3t1ia3j2br2ci3t2da3e3r2ej3r2go2l3l2na3e3o2ol2ra3g3t2so3p3t2ta2ud
            2va3e3i3o1olc3u3v2ra2ta3o2z1uel2lg0yace2te1egu2ma2rn2so1odo2ga3u0zafi2nj2pa2rz1ona2rr1
            umo2rd
            """
        ),
    ]
}
