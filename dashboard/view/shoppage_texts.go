package view

import "daftar/internal/locale"

// shopPageTexts are the texts of the pages about a shop page.
type shopPageTexts struct {
	Title, Intro, Manage             string
	Name, NameHint                   string
	NameBad, NameTaken               string
	DescriptionArabic                string
	DescriptionEnglish               string
	DescriptionHint, DescriptionBad  string
	Amount, AmountHint               string
	On, OnHint, Save                 string
	IsOn, IsOff, Address             string
	Open, Poster, PosterTitle, Print string
	PosterHint, QRLabel              string
	Scan, ScanFixed                  string // on paper
}

func shopPageTextsIn(say locale.Say) shopPageTexts {
	return shopPageTexts{
		Title: say("صفحة المتجر", "Shop page"),
		Intro: say("صفحة يدفع فيها الزبون وحده: يمسح رمزًا مطبوعًا عند الصندوق أو يفتح رابطًا، ويكتب المبلغ "+
			"ويدفع. كل دفعة فيها كغيرها تمامًا.",
			"A page on which customers pay by themselves: they scan a printed code at the till or open a link, "+
				"enter the amount and pay. Its payments are like any other."),
		Manage: say("صفحة المتجر ورمزها", "Shop page and its code"),
		Name:   say("الاسم في العنوان", "Name in the address"),
		NameHint: say("من 3 إلى 40 حرفًا إنجليزيًا صغيرًا أو رقمًا أو شرطة. اختره بعناية: يُطبع على الرمز، "+
			"فلا يتغيّر بعد الحفظ.",
			"3 to 40 small letters, digits or hyphens. Choose it well: it is in the printed code, so it cannot be "+
				"changed once it is saved."),
		NameBad: say("اكتب من 3 إلى 40 حرفًا إنجليزيًا صغيرًا أو رقمًا أو شرطة. الأسماء التي قد تُظن اسم مصرف "+
			"أو اسم دفتر غير متاحة.",
			"Enter 3 to 40 small letters, digits or hyphens. Names that could pass for a bank or for Daftar are "+
				"not available."),
		NameTaken: say("لمتجر آخر هذا الاسم. اختر غيره.",
			"Another shop has this name. Choose another one."),
		DescriptionArabic:  say("الوصف بالعربية", "Description in Arabic"),
		DescriptionEnglish: say("الوصف بالإنجليزية", "Description in English"),
		DescriptionHint: say("اختياري: سطر يراه الزبون في الصفحة وفي الإيصال. نص فقط، بلا عناوين مواقع.",
			"Optional: a line that customers see on the page and on the receipt. Text only, without web "+
				"addresses."),
		DescriptionBad: say("اكتب سطرًا واحدًا لا يزيد على 200 حرف، بلا عنوان موقع أو بريد.",
			"Write one line of at most 200 characters, without a web or mail address."),
		Amount: say("مبلغ ثابت بالدينار", "Fixed amount in dinars"),
		AmountHint: say("اتركه فارغًا ليكتب الزبون المبلغ بنفسه.",
			"Leave it empty, and customers enter the amount themselves."),
		On:     say("تستقبل المدفوعات", "Takes payments"),
		OnHint: say("ألغِ الاختيار لإيقاف الصفحة فورًا.", "Untick it to switch the page off at once."),
		Save:   say("احفظ صفحة المتجر", "Save the shop page"),
		IsOn:   say("تستقبل المدفوعات", "takes payments"),
		IsOff:  say("متوقفة", "off"), Address: say("العنوان", "Address"),
		Open:        say("افتح الصفحة", "Open the page"),
		Poster:      say("رمز للطباعة", "Code to print"),
		PosterTitle: say("رمز صفحة المتجر", "Code of the shop page"),
		Print:       say("اطبع", "Print"),
		PosterHint: say("اطبعه وضعه عند الصندوق. تأكد من وقت إلى آخر أن أحدًا لم يلصق رمزًا آخر فوقه.",
			"Print it and put it at the till. Check from time to time that nobody has stuck another code over it."),
		QRLabel: say("رمز QR لصفحة المتجر", "QR code of the shop page"),
		Scan: say("امسح الرمز بكاميرا هاتفك، واكتب المبلغ وادفع",
			"Scan with your phone’s camera, enter the amount, pay"),
		ScanFixed: say("امسح الرمز بكاميرا هاتفك وادفع", "Scan with your phone’s camera and pay"),
	}
}
